// Search runs in a worker, and a browser starts no worker on a page that was opened as a file. There, this runs the
// script of the worker in a hidden frame instead, behind the same interface. Served pages keep the real worker.
"use strict";
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.onerror = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.report(new MessageEvent("message", { data: structuredClone(data) }));
      const script = inside.document.createElement("script");
      this.loaded = new Promise((resolve) => script.addEventListener("load", resolve));
      script.addEventListener("error", () => this.report(new Event("error")));
      script.src = new URL(url, location.href).href;
      inside.document.head.append(script);
    }
    async postMessage(data) {
      const copy = structuredClone(data);
      await this.loaded;
      this.frame.contentWindow?.dispatchEvent(new MessageEvent("message", { data: copy }));
    }
    report(event) {
      this["on" + event.type]?.(event);
      this.dispatchEvent(event);
    }
    terminate() {
      this.frame.remove();
    }
  };
}
