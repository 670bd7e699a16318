// The list that is shown: items in their order, how many of them are ranked, and the rules. It knows no elements.

const RULES = ["gain", "discount", "ideal", "k", "cutoff", "nothing", "unjudged", "negative"];
const MOST_IN_LINK = 200;

const model = { items: [], ranked: 0, rules: {}, nextId: 0, started: "", list: {} };

/** Take a list as Python hands it over: `ranked` and `unranked` are pairs of name and grade. */
function takeList(list) {
  model.items = [...list.ranked, ...list.unranked].map(([name, grade]) => newItem(name, grade));
  model.ranked = list.ranked.length;
  model.rules = { ...list.rules };
  model.list = list;
  model.started = writeFragment();
}

const isAsStarted = () => model.started.replace(/&lang=.*/, "") === writeFragment().replace(/&lang=.*/, "");

const newItem = (name, grade) => ({ id: model.nextId++, name, grade });

/** The name of an item; those of the candies have a translation. */
function shownName({ name }) {
  const { names } = WORDS[language];
  return Object.hasOwn(names, name) ? names[name] : name;
}

const currentResult = () =>
  compute(
    model.items.map((item, at) => ({ grade: item.grade, ranked: at < model.ranked })),
    model.rules,
  );

/** Move the item at a place by some steps; the line below which nothing is ranked is a step, too. */
function moveItem(at, steps) {
  const order = withDivider();
  const from = at < model.ranked ? at : at + 1;
  const to = Math.max(0, Math.min(order.length - 1, from + steps));
  order.splice(to, 0, ...order.splice(from, 1));
  model.ranked = order.indexOf(null);
  model.items = order.filter((item) => item !== null);
  return to !== from;
}

const withDivider = () => [...model.items.slice(0, model.ranked), null, ...model.items.slice(model.ranked)];

function removeItem(at) {
  model.items.splice(at, 1);
  if (at < model.ranked) model.ranked -= 1;
}

/** Put an item at the end of the list. */
function addItem(grade) {
  const names = new Set(model.items.map(shownName));
  let number = model.items.length + 1;
  while (names.has(say("newItem", { number }))) number += 1;
  model.items.splice(model.ranked, 0, newItem(say("newItem", { number }), grade));
  model.ranked += 1;
}

/** Sort what is ranked by grade, highest first (direction 1) or last (−1), or shuffle it (0). */
function reorder(direction) {
  const list = model.items.slice(0, model.ranked);
  const worth = (item) => item.grade ?? 0;
  if (direction === 0) {
    for (let at = list.length - 1; at > 0; at -= 1) {
      const other = Math.floor(Math.random() * (at + 1));
      [list[at], list[other]] = [list[other], list[at]];
    }
  } else {
    list.sort((one, other) => direction * (worth(other) - worth(one)));
  }
  model.items.splice(0, model.ranked, ...list);
}

/** The list as the end of an address. */
function writeFragment() {
  const written = (item) => `${encodeURIComponent(item.name)}:${item.grade ?? ""}`;
  const values = {
    ranked: model.items.slice(0, model.ranked).map(written).join(","),
    unranked: model.items.slice(model.ranked).map(written).join(","),
    ...Object.fromEntries(RULES.map((rule) => [rule, encodeURIComponent(model.rules[rule] ?? "")])),
    lang: language,
  };
  return "#" + Object.entries(values).map(([name, value]) => `${name}=${value}`).join("&");
}

/** Read a list from the end of an address; null where it is none. What is wrong in it is left out. */
function readFragment(fragment) {
  const values = Object.fromEntries(fragment.replace(/^#/, "").split("&").map((part) => part.split("=")));
  if (values.ranked === undefined || values.unranked === undefined) return null;
  try {
    const rules = Object.fromEntries(RULES.map((rule) => [rule, decodeURIComponent(values[rule] ?? "")]));
    return {
      ranked: readItems(values.ranked),
      unranked: readItems(values.unranked),
      rules: checkedRules(rules),
      lang: Object.hasOwn(WORDS, values.lang) ? values.lang : "en",
    };
  } catch {
    return null;
  }
}

function readItems(text) {
  const parts = text === "" ? [] : text.split(",").map((part) => part.split(":"));
  return parts.map(([name, grade]) => [decodeURIComponent(name), readGrade(grade ?? "")]);
}

/** The grade that a text is; null, unjudged, for one that is no number. */
function readGrade(text) {
  const grade = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(grade) ? grade : null;
}

function checkedRules(rules) {
  const known = (rule, otherwise) => (Object.hasOwn(WORDS.en.terms[rule], rules[rule]) ? rules[rule] : otherwise);
  const term = (field, otherwise) => (readValid(field, rules[field]) ? rules[field] : otherwise);
  return {
    gain: term("gain", "linear"),
    discount: term("discount", "log2"),
    ideal: term("ideal", "judged"),
    k: readCutoff(rules.k),
    cutoff: readCutoff(rules.cutoff) ?? known("cutoff", "list"),
    nothing: known("nothing", "zero"),
    unjudged: known("unjudged", "zero"),
    negative: known("negative", "zero"),
  };
}

/** The cutoff that a text is; null for one that is none. */
function readCutoff(text) {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= 1e6 ? number : null;
}
