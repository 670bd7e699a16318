// Everything beside the rows: the value, the rules, the sums with their numbers, and the costs.

const SHOWN_TERMS = 12;
const SHOWN_COSTS = 8;

/** The name of the measure, with its cutoff. */
const measureName = (name) => (model.rules.k === null ? name : `${name}@${model.rules.k}`);

function showValue(result) {
  const value = byId("value");
  const known = !result.problem && result.value !== null;
  byId("value-label").textContent = measureName("NDCG");
  value.textContent = known ? writeLong(result.value) : result.problem ? "–" : say("noValue");
  value.classList.toggle("words", !known);
  byId("headline").textContent = headline(result);
  byId("fill").style.width = known ? `${100 * clamp(result.value)}%` : "0";
  byId("marks").hidden = !result.others;
  for (const name of ["worst", "random"]) {
    byId(`mark-${name}`).hidden = !result.others;
    if (result.others) byId(`mark-${name}`).style.left = `${100 * clamp(result.others[name])}%`;
    byId(`value-${name}`).textContent = result.others ? writeLong(result.others[name]) : "";
  }
  byId("value-this").textContent = known ? writeLong(result.value) : "";
}

const clamp = (share) => Math.max(0, Math.min(1, share));

function headline(result) {
  if (result.problem) return say(`problems.${result.problem}`);
  if (result.empty) return say("headlineEmpty", { value: result.value ?? say("noValue") });
  const sums = { dcg: writeLong(result.dcg), idcg: writeLong(result.idcg) };
  if (result.value > 1 + 1e-9) return say("headlineAbove", sums);
  const perfect = model.rules.ideal.startsWith("perfect");
  const share = writeShort(Number((100 * result.value).toFixed(1)));
  return say(perfect ? "headlinePerfect" : "headline", { ...sums, share });
}

/** Fill a choice; `options` are pairs of value and text. */
function fillSelect(select, options, chosen) {
  select.replaceChildren(
    ...options.map(([value, text]) => Object.assign(element("option", "", text), { value, selected: value === chosen })),
  );
}

function showRules(data, result) {
  const rules = model.rules;
  const same = data.conventions.findIndex((entry) => RULES.every((rule) => rule === "k" || entry.rules[rule] === rules[rule]));
  const entries = data.conventions.map((entry, at) => [String(at), entry.names.join(", ")]);
  fillSelect(byId("convention"), same < 0 ? [["-1", say("ownRules")], ...entries] : entries, String(same));
  for (const field of ["gain", "discount", "ideal"]) showTerm(field, data.terms[field]);
  if (document.activeElement !== byId("k")) byId("k").value = rules.k ?? "";
  byId("k").placeholder = Number.isFinite(result.cuts?.k) ? result.cuts.k : say("wholeList");
  const numbered = typeof rules.cutoff === "number" ? [[String(rules.cutoff), `k = ${rules.cutoff}`]] : [];
  for (const rule of ["cutoff", "nothing", "unjudged", "negative"]) {
    const known = Object.keys(WORDS.en.terms[rule]).map((answer) => [answer, say(`terms.${rule}.${answer}`)]);
    fillSelect(byId(rule), rule === "cutoff" ? [...known, ...numbered] : known, String(rules[rule]));
  }
}

function showTerm(field, kinds) {
  const text = model.rules[field];
  const [, kind, numbers] = /^([^(]*)(?:\((.*)\))?$/.exec(text);
  const shown = byId(`${field}-numbers`);
  const variants = kinds.flatMap((name) => [name, `${name}()`]).filter((name) => WORDS.en.terms[field][name]);
  const options = variants.map((name) => [name, `${name.replace("()", "(…)")}: ${say(`terms.${field}.${name}`)}`]);
  fillSelect(byId(field), options, numbers === undefined ? kind : `${kind}()`);
  shown.hidden = numbers === undefined;
  shown.setAttribute("aria-label", `${say(field)}, ${kind}(…)`);
  shown.setAttribute("aria-invalid", String(!readValid(field, text)));
  if (document.activeElement !== shown) shown.value = numbers ?? "";
}

/** The numbers that a term has when it is chosen. */
const NUMBERS = {
  gain: { "linear()": "1=2", "exp2()": "1", "binary()": "2", "share()": "4", "chance()": "4", "table()": "0=0,1=1,2=3,3=7" },
  discount: { "log()": "10", "jarvelin()": "3", "geometric()": "0.8", "table()": "1,0.5,0.25" },
  ideal: { "perfect()": "3" },
};

/** The text of a term: `binary`, or with numbers `binary()` and 2, `binary(2)`. */
const termText = (variant, numbers) => variant.replace("()", `(${numbers})`);

function showHow(result) {
  const list = byId("how");
  list.replaceChildren();
  if (result.problem) return;
  const grades = [...new Set(model.items.map((item) => item.grade).filter((grade) => grade !== null))];
  const gains = grades.sort((one, other) => one - other).slice(0, SHOWN_TERMS);
  const gain = readValid("gain", model.rules.gain);
  const highest = Math.max(...grades, 0);
  const worth = (grade) => (isWorthless(grade, model.rules) ? 0 : gainOf(grade, gain, highest));
  const weights = result.ranks.slice(0, SHOWN_TERMS).map((rank) => maps(rank.rank, rank.discount));
  line(list, say("gainName"), "gainLine", `${termLine("gain")}: ${gains.map((grade) => maps(grade, worth(grade))).join(", ")}`);
  line(list, say("discountName"), "discountLine", `${termLine("discount")}: ${weights.join(", ")}`);
  line(list, measureName("DCG"), "dcgLine", sumLine(result.ranks), writeLong(result.dcg));
  line(list, measureName("IDCG"), "idcgLine", sumLine(result.ideal), writeLong(result.idcg));
  const ratio = `${writeLong(result.dcg)} / ${writeLong(result.idcg)}`;
  const value = result.value === null ? say("noValue") : writeLong(result.value);
  line(list, measureName("NDCG"), "ndcgLine", result.empty ? "" : ratio, value);
}

const maps = (from, to) => `${writeShort(from)}\u00a0→\u00a0${writeShort(to)}`;

/** What a term means; with numbers also how it is typed. */
function termLine(field) {
  const text = model.rules[field];
  return text.includes("(") ? text : say(`terms.${field}.${text}`);
}

function line(list, name, key, text, value) {
  const shown = element("dd");
  shown.append(element("small", "", say(key)), text);
  if (value !== undefined) shown.append(text ? " = " : "", element("b", "", value));
  list.append(element("dt", "", name), shown);
}

function sumLine(ranks) {
  const terms = ranks.slice(0, SHOWN_TERMS).map((rank) => writeShort(rank.adds));
  return [...terms, ...(ranks.length > SHOWN_TERMS ? ["…"] : [])].join(" + ").replaceAll("+ −", "− ") || "0";
}

function showCosts(result) {
  const list = byId("costs");
  list.replaceChildren();
  const shown = result.problem || result.empty ? [] : costs(result).filter((entry) => Math.abs(entry.cost) > 1e-12);
  byId("why-lead").textContent = shown.length ? say("whyLead") : result.problem || result.empty ? "" : say("whyNone");
  const most = Math.max(...shown.map((entry) => Math.abs(entry.cost)), 1e-12);
  const ordered = shown.toSorted((one, other) => Math.abs(other.cost) - Math.abs(one.cost));
  list.append(...ordered.slice(0, SHOWN_COSTS).map((entry) => costRow(entry, most)));
  byId("cost-total").replaceChildren();
  if (!shown.length) return;
  const total = element("b", "", writeLong(1 - result.value));
  byId("cost-total").append(element("span", "", say("costTotal", { value: writeLong(result.value) })), total);
}

function costRow(entry, most) {
  const row = element("li");
  const text = element("span");
  const costs = entry.cost > 0;
  if (entry.at !== null) text.append(element("bdi", "", shownName(model.items[entry.at])), " ");
  text.append(element("small", "", costText(entry)));
  const sign = costs ? "▼ " : "▲ ";
  row.append(text, element("span", costs ? "lost" : "won", sign + writeLong(-entry.cost).replace(/^(?=\d)/, "+")));
  const bar = element("div", costs ? "cost-bar" : "cost-bar back");
  bar.style.width = `${(100 * Math.abs(entry.cost)) / most}%`;
  row.append(bar);
  return row;
}

function costText(entry) {
  const places = { rank: entry.rank, ideal: entry.idealRank };
  if (entry.at === null) return say("costEmpty");
  if (entry.rank === null) return say("costMissing", places);
  if (entry.idealRank === null) return say("costAbove", places);
  return say(entry.rank === entry.idealRank ? "costHere" : "costLine", places);
}
