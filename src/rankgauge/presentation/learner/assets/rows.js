// The rows of items. Each item keeps its elements while it moves, so that neither a drag nor the focus is lost.

const FIRST_ROWS = 50;
const byId = (id) => document.getElementById(id);
const rowOf = new Map();
let shownRows = FIRST_ROWS;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function button(className, text, act) {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** Make the elements of an item; `act` has what is done when it is moved, graded, named or removed. */
function makeRow(item, act) {
  const parts = { row: element("li", "row") };
  parts.rank = element("span", "rank");
  parts.handle = button("handle", "⠿", () => {});
  parts.name = Object.assign(element("input", "name"), { type: "text", dir: "auto", autocomplete: "off" });
  parts.name.addEventListener("input", () => act.rename(item, parts.name.value));
  parts.lower = button("", "−", () => act.grade(item, item.grade > 0 ? Math.max(item.grade - 1, 0) : null));
  parts.grade = Object.assign(element("input"), { type: "number", step: "any", placeholder: "?", autocomplete: "off" });
  parts.grade.addEventListener("input", () => act.grade(item, readGrade(parts.grade.value)));
  parts.raise = button("", "+", () => act.grade(item, item.grade === null ? 0 : item.grade + 1));
  parts.sum = element("span", "sum");
  parts.bar = element("div", "bar");
  parts.best = element("div", "best");
  parts.line = element("span", "line");
  parts.bestName = element("bdi");
  parts.up = button("", "▲", () => act.move(item, -1));
  parts.down = button("", "▼", () => act.move(item, 1));
  parts.remove = button("", "✕", () => act.remove(item));
  const grade = element("span", "grade");
  const bars = element("div", "bars");
  const axis = element("div", "axis");
  const actions = element("span", "actions");
  grade.append(parts.lower, parts.grade, parts.raise);
  axis.append(parts.bar);
  parts.best.append(parts.line, parts.bestName);
  bars.append(axis, parts.best);
  actions.append(parts.up, parts.down, parts.remove);
  parts.row.append(parts.rank, parts.handle, parts.name, grade, parts.sum, bars, actions);
  parts.handle.addEventListener("pointerdown", (event) => act.grab(event, item, parts.row));
  parts.handle.addEventListener("keydown", (event) => act.key(event, item));
  return parts;
}

/** Bring the rows into the order of the model. The row that has the focus or the pointer stays, the others go around. */
function arrangeRows(list, wanted) {
  const held = wanted.find((row) => row.classList.contains("lifted") || row.contains(document.activeElement));
  const at = wanted.indexOf(held);
  [...list.children].filter((row) => !wanted.includes(row)).forEach((row) => row.remove());
  wanted.forEach((row, place) => {
    if (row === held) return;
    if (held && place < at) list.insertBefore(row, held);
    else list.append(row);
  });
}

/** What is written in a row: its rank, its sum, its bars, and the item of the best order at the same place. */
function fillRow(parts, item, at, view) {
  const rank = view.rankAt.get(at);
  const best = view.idealAt.get(at);
  const listed = at < model.ranked;
  const place = listed ? say("placeRanked", { rank: at + 1, count: model.ranked }) : say("placeUnranked");
  const name = shownName(item);
  parts.row.classList.toggle("muted", !rank);
  parts.row.classList.toggle("unjudged", item.grade === null);
  parts.row.classList.toggle("cut", view.cutAt === at);
  parts.row.dataset.cut = `k = ${view.k}`;
  parts.rank.textContent = view.place.get(at) ?? "–";
  if (document.activeElement !== parts.name) parts.name.value = name;
  if (document.activeElement !== parts.grade) parts.grade.value = item.grade ?? "";
  const labels = { handle: ["move", { item: name, place }], up: ["up"], down: ["down"], remove: ["remove"] };
  Object.assign(labels, { lower: ["lower"], raise: ["raise"], grade: ["gradeOf"], name: ["nameOf"] });
  for (const [part, [key, values]] of Object.entries(labels)) {
    parts[part].setAttribute("aria-label", say(key, values ?? { item: name }));
    parts[part].title = part === "grade" || part === "name" ? "" : say(key, values ?? { item: name });
  }
  // A button that is disabled would lose the focus.
  parts.up.ariaDisabled = String(at === 0 && listed);
  parts.down.ariaDisabled = String(!listed && at === model.items.length - 1);
  parts.lower.ariaDisabled = String(item.grade === null);
  fillSum(parts.sum, item, rank, listed, view);
  parts.bar.style.width = rank ? `${(100 * Math.abs(rank.adds)) / view.scale}%` : "0";
  parts.bar.classList.toggle("below", Boolean(rank) && rank.adds < 0);
  fillBest(parts, item, best, view);
}

function fillSum(cell, item, rank, listed, view) {
  cell.replaceChildren();
  if (!rank) {
    const why = !listed ? "unranked" : view.problem ? "" : isDropped(item, model.rules) ? "dropped" : "beyond";
    cell.textContent = why && say(why);
    return;
  }
  const gain = item.grade === null ? "" : writeGain(item.grade, view.gain);
  const discount = writeDiscount(rank.rank, view.discount);
  const worth = gain ? `(${gain})` : writeShort(rank.gain);
  const formula = discount ? `${worth} × (${discount})` : gain && worth;
  const written = item.grade === null ? say("unjudgedRow") : formula;
  if (written) cell.append(element("small", "", written));
  cell.append(`${writeShort(rank.gain)} × ${writeLong(rank.discount)} = `, element("b", "", writeLong(rank.adds)));
}

function fillBest(parts, item, best, view) {
  parts.best.hidden = !best;
  if (!best) return;
  const other = best.at === null ? null : model.items[best.at];
  const grade = other && other.grade !== null ? ` (${writeShort(other.grade)})` : "";
  const name = other ? shownName(other) : say("perfect");
  parts.line.style.width = `${(100 * Math.max(best.adds, 0)) / view.scale}%`;
  parts.line.classList.toggle("nothing", best.adds <= 0);
  parts.bestName.textContent = say("bestHere", { name: name + grade, adds: writeLong(best.adds) });
  parts.best.classList.toggle("same", other === item);
}
