/* What every report does: unpack its data, switch between light and dark, copy tables, save charts. */
"use strict";

const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

const SVG = "http://www.w3.org/2000/svg";
const draw = (name, attributes) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/* A length, that many bytes of JSON, and then the arrays that the JSON names. */
const unpack = async () => {
  const packed = JSON.parse(document.getElementById("packed").textContent);
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = Math.ceil((4 + length) / 8) * 8;
  const types = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array };
  header.array = (name) => {
    const [type, offset, count] = header.arrays[name];
    return new types[type](buffer, start + offset, count);
  };
  return header;
};

/* Light and dark. */
const theme = document.getElementById("theme");
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  theme.setAttribute("aria-pressed", String(!dark));
});

/* Say for a moment on a button what it did. */
const confirmOn = (button, text) => {
  const before = button.dataset.label || button.textContent;
  button.dataset.label = before;
  button.textContent = text;
  document.getElementById("status").textContent = `${before}: ${text}`;
  setTimeout(() => { button.textContent = before; }, 1500);
};

const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    /* A page that was opened from a file may not use the clipboard: copy by selection. */
    const area = make("textarea", { readonly: true, class: "visually-hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (!copied) throw new Error("the browser did not copy");
  }
};

const prepareCopies = (copies) => {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.addEventListener("click", async () => {
      const text = copies[button.dataset.table][button.dataset.copy];
      try {
        await copyText(text);
        confirmOn(button, "copied");
      } catch {
        confirmOn(button, "not copied");
      }
    });
  }
};

/* Charts as files: the colours and sizes that the style sheet gives are written into the copy. */
const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "vector-effect", "font-size", "font-weight", "font-family", "text-anchor", "transform",
];
const withStyles = (original, copy) => {
  const computed = getComputedStyle(original);
  for (const name of STYLES) {
    const value = computed.getPropertyValue(name);
    if (value && value !== "none" || name === "fill" || name === "stroke") copy.style.setProperty(name, value);
  }
  copy.removeAttribute("class");
  [...original.children].forEach((child, index) => withStyles(child, copy.children[index]));
};

/* Everything that a chart consists of stands where it is on the page: drawn parts, and texts beside them. */
const asFile = (figure) => {
  const margin = 14;
  const box = figure.querySelector(".canvas").getBoundingClientRect();
  const heading = figure.querySelector("h3");
  const [width, top] = [Math.ceil(box.width) + 2 * margin, 30];
  const height = Math.ceil(box.height) + top + margin;
  const file = draw("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  file.append(draw("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor }));
  file.append(asText(heading, margin, 20, "start"));
  for (const part of figure.querySelectorAll(".canvas svg.plot, .canvas .id")) {
    const place = part.getBoundingClientRect();
    const [x, y] = [place.left - box.left + margin, place.top - box.top + top];
    if (part.tagName === "svg") file.append(asCopy(part, x, y));
    else if (getComputedStyle(part).textAlign === "right") file.append(asText(part, x + place.width, y + 13, "end"));
    else file.append(asText(part, x, y + 13, "start"));
  }
  return { text: new XMLSerializer().serializeToString(file), width, height };
};

const asText = (element, x, y, anchor) => {
  const { fontSize, fontWeight, fontFamily, color } = getComputedStyle(element);
  const text = draw("text", { x, y, "text-anchor": anchor, "font-weight": fontWeight, fill: color });
  text.setAttribute("font-size", fontSize);
  text.setAttribute("font-family", fontFamily);
  text.textContent = element.textContent;
  return text;
};

const asCopy = (original, x, y) => {
  const computed = getComputedStyle(original);
  const side = (name) => parseFloat(computed[name]) || 0;
  const copy = original.cloneNode(true);
  withStyles(original, copy);
  copy.style.overflow = "visible";
  const place = { x: x + side("paddingLeft"), y: y + side("paddingTop"), width: side("width"), height: side("height") };
  for (const [key, value] of Object.entries(place)) copy.setAttribute(key, value);
  return copy;
};

const offer = (blob, name) => {
  const address = URL.createObjectURL(blob);
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
};

const asPicture = ({ text, width, height }) => new Promise((resolve, reject) => {
  const picture = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  picture.onload = () => {
    const canvas = make("canvas", { width: width * 2, height: height * 2 });
    canvas.getContext("2d").drawImage(picture, 0, 0, width * 2, height * 2);
    URL.revokeObjectURL(address);
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  };
  picture.onerror = () => reject(new Error("no picture"));
  picture.src = address;
});

for (const button of document.querySelectorAll("button[data-save]")) {
  button.addEventListener("click", async () => {
    const figure = button.closest("figure");
    const name = figure.dataset.name;
    const file = asFile(figure);
    try {
      if (button.dataset.save === "svg") offer(new Blob([file.text], { type: "image/svg+xml" }), `${name}.svg`);
      else offer(await asPicture(file), `${name}.png`);
      confirmOn(button, "saved");
    } catch {
      confirmOn(button, "not saved");
    }
  });
}
