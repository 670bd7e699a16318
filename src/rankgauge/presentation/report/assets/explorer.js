/* The explorer: a table of queries, and the ranks of each that is opened. Values come from the data; none is computed. */
const FIRST_ROWS = 25;
const MORE_ROWS = 100;

const written = (value, places, signed = false) => {
  if (Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(places);
  const sign = /[1-9]/.test(text) ? (value < 0 ? "−" : signed ? "+" : "") : "";
  return sign + text;
};

/* Offsets of the items of each query in arrays that hold those of all queries. */
const starts = (counts) => {
  const found = new Uint32Array(counts.length + 1);
  counts.forEach((count, index) => { found[index + 1] = found[index] + count; });
  return found;
};

class Explorer {
  constructor(root, header) {
    this.root = root;
    this.about = header.explorer;
    this.runs = this.about.runs.length;
    for (const name of Object.keys(header.arrays)) this[name] = header.array(name);
    this.itemStarts = starts(this.itemCounts);
    this.rankStarts = starts(this.rankCounts);
    this.idealStarts = starts(this.idealCounts);
    this.costStarts = starts(this.costCounts);
    this.pair = this.about.pair ? [...this.about.pair] : null;
    this.sort = this.pair ? "difference" : 0;
    this.ascending = true;
    this.search = "";
    this.filter = "all";
    this.shown = FIRST_ROWS;
    this.opened = new Set();
    this.lower = this.about.queries.map((id, index) => `${id}\n${this.textOf(index)}`.toLowerCase());
    this.build();
    this.update();
  }

  textOf(query) {
    return this.about.texts ? this.about.texts[query] || "" : "";
  }

  value(query, run) {
    return this.values[query * this.runs + run];
  }

  difference(query) {
    return this.value(query, this.pair[0]) - this.value(query, this.pair[1]);
  }

  /* The controls and the head of the table, made once. */
  build() {
    const search = make("input", { type: "search", placeholder: "Search queries", "aria-label": "Search queries" });
    search.addEventListener("input", () => { this.search = search.value.toLowerCase(); this.restart(); });
    const filter = this.choice("Show", this.filters(), "all", (value) => { this.filter = value; this.restart(); });
    this.found = make("span", { class: "found", role: "status" });
    const controls = make("div", { class: "controls" }, search, filter);
    if (this.pair && this.runs > 2) {
      const names = this.about.runs.map((name, index) => [String(index), name]);
      const turn = (place) => (value) => { this.pair[place] = Number(value); this.restart(); };
      controls.append(
        this.choice("Change of", names, String(this.pair[0]), turn(0)),
        this.choice("against", names, String(this.pair[1]), turn(1)),
      );
    }
    controls.append(this.found);
    this.head = make("thead");
    this.body = make("tbody");
    const table = make("table", { class: "explorer-table" }, this.head, this.body);
    this.more = make("button", { type: "button", class: "more" });
    this.more.addEventListener("click", () => { this.shown += MORE_ROWS; this.update(); });
    this.root.replaceChildren(controls, make("div", { class: "wide" }, table), this.more);
    this.body.addEventListener("click", (event) => {
      const button = event.target.closest("button.open");
      if (button) this.toggle(Number(button.dataset.query));
    });
    this.body.addEventListener("keydown", (event) => this.move(event));
    for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
      this.body.addEventListener(name, (event) => this.markSame(event, on));
    }
  }

  choice(text, options, chosen, change) {
    const select = make("select", {});
    for (const [value, name] of options) select.append(make("option", { value, selected: value === chosen }, name));
    select.addEventListener("change", () => change(select.value));
    return make("label", {}, `${text} `, select);
  }

  filters() {
    if (this.pair) return [["all", "all"], ["worse", "worse"], ["better", "better"], ["changed", "changed"], ["equal", "equal"]];
    return [["all", "all"], ["zero", "value 0"], ["below", "below the mean"], ["above", "above the mean"]];
  }

  keeps(query) {
    if (this.search && !this.lower[query].includes(this.search)) return false;
    if (this.filter === "all") return true;
    if (!this.pair) {
      const value = this.value(query, 0);
      if (this.filter === "zero") return value === 0;
      return this.filter === "below" ? value < this.about.means[0] : value > this.about.means[0];
    }
    const difference = this.difference(query);
    return {
      worse: difference < 0, better: difference > 0, changed: difference !== 0, equal: difference === 0,
    }[this.filter];
  }

  restart() {
    this.shown = FIRST_ROWS;
    this.update();
  }

  ordered() {
    const queries = [];
    for (let query = 0; query < this.about.queries.length; query += 1) if (this.keeps(query)) queries.push(query);
    const key = this.sort === "query" ? null : (query) => {
      const value = this.sort === "difference" ? this.difference(query) : this.value(query, this.sort);
      return Number.isNaN(value) ? Infinity : value;
    };
    const sign = this.ascending ? 1 : -1;
    return queries.sort((a, b) => sign * (key ? key(a) - key(b) || a - b : a - b));
  }

  update() {
    this.updateHead();
    const queries = this.ordered();
    this.widest = this.pair ? Math.max(1e-9, ...queries.slice(0, this.shown).map((query) => Math.abs(this.difference(query)) || 0)) : 1;
    this.body.replaceChildren(...queries.slice(0, this.shown).flatMap((query) => this.rows(query)));
    const total = this.about.queries.length.toLocaleString("en");
    this.found.textContent = `${queries.length.toLocaleString("en")} of ${total} queries`;
    const rest = queries.length - this.shown;
    this.more.hidden = rest <= 0;
    this.more.textContent = `${Math.min(rest, MORE_ROWS)} more`;
  }

  columns() {
    const runs = this.about.runs.map((name, index) => [index, name]);
    return [["query", "query"], ...runs, ...(this.pair ? [["difference", "change"]] : [])];
  }

  updateHead() {
    const focused = document.activeElement && document.activeElement.dataset.column;
    const cells = this.columns().map(([column, name]) => {
      const sorted = this.sort === column;
      const arrow = sorted ? (this.ascending ? " ↑" : " ↓") : "";
      const button = make("button", { type: "button", "data-column": column }, name + arrow);
      button.addEventListener("click", () => {
        this.ascending = sorted ? !this.ascending : true;
        this.sort = column;
        this.restart();
      });
      const order = sorted ? (this.ascending ? "ascending" : "descending") : "none";
      return make("th", { scope: "col", class: column === "query" ? "id" : "number id", "aria-sort": order }, button);
    });
    if (this.pair) cells.push(make("th", { class: "drawn-change", "aria-hidden": "true" }));
    this.head.replaceChildren(make("tr", {}, ...cells));
    if (focused) this.head.querySelector(`[data-column="${focused}"]`)?.focus();
  }

  rows(query) {
    const open = this.opened.has(query);
    const button = make(
      "button",
      { type: "button", class: "open", "data-query": query, "aria-expanded": String(open) },
      this.about.queries[query],
    );
    const text = this.textOf(query);
    const first = make("td", { class: "query" }, button, text ? make("span", { class: "text id" }, text) : null);
    const cells = [first];
    for (let run = 0; run < this.runs; run += 1) {
      cells.push(make("td", { class: "number" }, written(this.value(query, run), this.about.places)));
    }
    if (this.pair) cells.push(...this.change(query));
    const row = make("tr", {}, ...cells);
    return open ? [row, this.openedRow(query, cells.length)] : [row];
  }

  change(query) {
    const difference = this.difference(query);
    const side = difference > 0 ? "better" : difference < 0 ? "worse" : "";
    const symbol = difference > 0 ? "▲ " : difference < 0 ? "▼ " : "";
    const bar = draw("svg", { "aria-hidden": "true" });
    const width = (Math.abs(difference) / this.widest) * 50 || 0;
    bar.append(draw("rect", { x: `${difference < 0 ? 50 - width : 50}%`, width: `${width}%`, height: 10 }));
    return [
      make("td", { class: `number ${side}` }, symbol + written(difference, this.about.places, true)),
      make("td", { class: `drawn-change ${side}` }, bar),
    ];
  }

  toggle(query) {
    if (!this.opened.delete(query)) this.opened.add(query);
    const button = this.body.querySelector(`button.open[data-query="${query}"]`);
    const row = button.closest("tr");
    const replacement = this.rows(query);
    if (row.nextElementSibling && row.nextElementSibling.classList.contains("opened")) row.nextElementSibling.remove();
    row.replaceWith(...replacement);
    replacement[0].querySelector("button").focus();
  }

  /* Open a query that may not be among the rows that are shown: bring it there. */
  show(query) {
    this.opened.add(query);
    this.search = "";
    this.filter = "all";
    this.root.querySelector("input").value = "";
    this.root.querySelector("select").value = "all";
    this.shown = Math.max(FIRST_ROWS, this.ordered().indexOf(query) + 1);
    this.update();
    const button = this.body.querySelector(`button.open[data-query="${query}"]`);
    button.focus();
    button.scrollIntoView({ block: "center" });
  }

  move(event) {
    const buttons = [...this.body.querySelectorAll("button.open")];
    const index = buttons.indexOf(document.activeElement);
    if (index < 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && buttons[index + step]) {
      buttons[index + step].focus();
      event.preventDefault();
    }
    if (event.key === "Escape" && this.opened.has(Number(buttons[index].dataset.query))) {
      this.toggle(Number(buttons[index].dataset.query));
    }
  }

  markSame(event, on) {
    const row = event.target.closest && event.target.closest("tr[data-item]");
    if (!row) return;
    const all = row.closest(".panels").querySelectorAll(`tr[data-item="${row.dataset.item}"]`);
    for (const other of all) other.classList.toggle("same", on && all.length > 1);
  }

  openedRow(query, width) {
    const panels = this.about.runs.map((name, run) => this.panel(query, run, name));
    if (this.about.ideal === "shared") panels.push(this.idealPanel(query, 0));
    return make("tr", { class: "opened" }, make("td", { colspan: width }, make("div", { class: "panels" }, ...panels)));
  }

  panel(query, run, name) {
    const cell = query * this.runs + run;
    const value = written(this.value(query, run), this.about.places);
    const heading = make(
      "h4", {}, make("span", { class: `swatch ${this.about.classes[run]}` }), make("span", { class: "id" }, name),
      make("span", { class: "value" }, ` ${this.about.measure} ${value}`),
    );
    const costs = this.costsOf(query, cell);
    const shown = new Set(this.refs.subarray(this.rankStarts[cell], this.rankStarts[cell + 1]));
    const marked = [...costs.keys()].some((ref) => shown.has(ref));
    const rows = [];
    for (let at = this.rankStarts[cell]; at < this.rankStarts[cell + 1]; at += 1) {
      const rank = at - this.rankStarts[cell] + 1;
      rows.push(this.itemRow(query, rank, this.refs[at], this.addValues[this.adds[at]], marked ? costs : null));
    }
    const missed = [...costs.values()].filter((cost) => !shown.has(cost.ref)).map((cost) => this.missed(query, cost));
    const empty = rows.length ? null : make("p", { class: "note" }, "nothing is ranked");
    const own = this.about.ideal === "each" ? [this.idealPanel(query, run)] : [];
    return make("div", { class: "panel" }, heading, this.ranksTable(rows, marked), empty, ...missed, ...own);
  }

  ranksTable(rows, withCosts) {
    if (!rows.length) return null;
    const names = [["rank", ""], ["item", "item"], ["grade-column", "grade"]];
    if (this.about.explained) names.push(["adds", "adds"]);
    if (withCosts) names.push(["costs", "costs"]);
    const columns = names.map(([kind]) => make("col", { class: kind }));
    const cells = names.map(([kind, name]) => make("th", { scope: "col", class: kind === "item" ? "" : "number" }, name));
    const head = make("thead", {}, make("tr", {}, ...cells));
    return make("table", {}, make("colgroup", {}, ...columns), head, make("tbody", {}, ...rows));
  }

  costsOf(query, cell) {
    const found = new Map();
    for (let at = this.costStarts[cell]; at < this.costStarts[cell + 1]; at += 1) {
      found.set(this.costRefs[at], { ref: this.costRefs[at], rank: this.costPlaces[at], cost: this.costs[at] });
    }
    return found;
  }

  itemRow(query, rank, ref, adds, costs) {
    const cost = costs && costs.get(ref);
    const cells = [make("td", { class: "number" }, String(rank)), this.itemCell(query, ref), make("td", { class: "number" }, this.chip(query, ref))];
    if (this.about.explained) cells.push(make("td", { class: "number" }, written(adds, 3)));
    if (this.about.explained && costs) cells.push(make("td", { class: "number cost" }, cost ? written(-cost.cost, 3) : ""));
    return make("tr", { "data-item": ref, class: cost ? "lost" : null }, ...cells);
  }

  item(query, ref) {
    return this.about.items[this.itemStarts[query] + ref];
  }

  itemCell(query, ref) {
    const id = this.item(query, ref);
    const text = this.about.itemTexts ? this.about.itemTexts[id] : null;
    return make("td", { class: "id" }, make("span", { class: "item-id" }, id), text ? make("span", { class: "text id", title: text }, text) : null);
  }

  chip(query, ref) {
    const grade = this.grades[this.itemStarts[query] + ref];
    if (Number.isNaN(grade)) return make("span", { class: "grade none", title: "unjudged" }, "?");
    const strength = this.about.highest > 0 ? Math.max(0, grade / this.about.highest) : 0;
    const chip = make("span", { class: `grade ${strength > 0.6 ? "strong-grade" : strength === 0 ? "zero" : ""}` }, String(Number(grade.toFixed(3))));
    chip.style.setProperty("--strength", String(strength));
    return chip;
  }

  missed(query, cost) {
    const place = cost.rank ? `at rank ${cost.rank.toLocaleString("en")}` : "not ranked";
    const note = make("p", { class: "note" }, "▼ ", make("span", { class: "id" }, this.item(query, cost.ref)), " ", this.chip(query, cost.ref));
    note.append(` ${place}, `, make("span", { class: "cost" }, `costs ${written(cost.cost, 3)}`));
    return note;
  }

  idealPanel(query, run) {
    const cell = this.about.ideal === "each" ? query * this.runs + run : query;
    const rows = [];
    for (let at = this.idealStarts[cell]; at < this.idealStarts[cell + 1]; at += 1) {
      const rank = at - this.idealStarts[cell] + 1;
      rows.push(this.itemRow(query, rank, this.idealRefs[at], this.addValues[this.idealAdds[at]], null));
    }
    const empty = rows.length ? null : make("p", { class: "note" }, "nothing is judged");
    return make("div", { class: "panel" }, make("h4", {}, "ideal"), this.ranksTable(rows, false), empty);
  }
}

/* A click on the chart of differences opens the query below the pointer. */
const linkCharts = (explorer) => {
  if (!explorer.pair || !explorer.about.complete) return;
  for (const chart of document.querySelectorAll("svg.ordered[data-first]")) {
    const pair = [Number(chart.dataset.first), Number(chart.dataset.second)];
    const change = (query) => explorer.value(query, pair[0]) - explorer.value(query, pair[1]);
    const order = explorer.about.queries.map((_, query) => query).filter((query) => !Number.isNaN(change(query)));
    order.sort((a, b) => change(b) - change(a) || a - b);
    chart.classList.add("clickable");
    chart.addEventListener("click", (event) => {
      const inner = chart.querySelector("svg").getBoundingClientRect();
      const place = Math.floor(((event.clientX - inner.left) / inner.width) * order.length);
      if (place >= 0 && place < order.length) explorer.show(order[place]);
    });
  }
};

unpack().then((header) => {
  prepareCopies(header.copies);
  const root = document.getElementById("explorer-root");
  if (root && header.explorer) linkCharts(new Explorer(root, header));
  document.documentElement.dataset.ready = "true";
});
