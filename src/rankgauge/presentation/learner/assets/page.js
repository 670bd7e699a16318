// Puts the parts together: what is done, what is shown anew.

const data = JSON.parse(byId("data").textContent);
const divider = element("li", "divider");

const act = {
  move: (item, steps) => moveItem(model.items.indexOf(item), steps) && show(item),
  grab: (event, item, row) => dragItem(event, item, row, show),
  key: (event, item) => moveByKey(event, item, show),
  rename: (item, name) => {
    item.name = name;
    show();
  },
  grade: (item, grade) => {
    item.grade = grade;
    show();
  },
  remove: (item) => {
    rowOf.delete(item.id);
    removeItem(model.items.indexOf(item));
    show();
  },
};

/** What the rows need to know of a result. */
function viewOf(result) {
  const ranks = result.ranks ?? [];
  const ideal = result.ideal ?? [];
  const all = [...ranks, ...ideal].map((rank) => Math.abs(rank.adds));
  let rank = 0;
  const kept = model.items.map((item, at) => at < model.ranked && !isDropped(item, model.rules));
  return {
    problem: result.problem,
    gain: readValid("gain", model.rules.gain),
    discount: readValid("discount", model.rules.discount),
    rankAt: new Map(ranks.map((at) => [at.at, at])),
    idealAt: new Map(ideal.map((at) => [at.rank - 1, at])),
    place: new Map(kept.flatMap((isKept, at) => (isKept ? [[at, (rank += 1)]] : []))),
    scale: all.reduce((most, adds) => Math.max(most, adds), 0) || 1,
    k: result.cuts?.k,
    cutAt: ranks.length && ranks.length < result.length ? kept.indexOf(true, ranks[ranks.length - 1].at + 1) : -1,
  };
}

/** Show everything anew; `moved` is the item to speak of. */
function show(moved) {
  const result = currentResult();
  showRows(viewOf(result));
  showMorePositions(result);
  showValue(result);
  showRules(data, result);
  showHow(result);
  showCosts(result);
  speak(result, moved);
  rememberInAddress();
}

function showRows(view) {
  const list = byId("rows");
  const count = Math.min(shownRows, model.items.length);
  const shown = model.items.slice(0, Math.max(count, Math.min(model.ranked, shownRows)));
  const tops = new Map([...list.children].map((row) => [row, row.offsetTop]));
  const rows = shown.map((item, at) => {
    if (!rowOf.has(item.id)) rowOf.set(item.id, makeRow(item, act));
    const parts = rowOf.get(item.id);
    fillRow(parts, item, at, view);
    return parts.row;
  });
  if (model.ranked <= shown.length) rows.splice(model.ranked, 0, divider);
  divider.textContent = say("divider") + (model.ranked === model.items.length ? ` (${say("dividerHint")})` : "");
  arrangeRows(list, rows);
  glide(rows, tops);
  const hidden = model.items.length - shown.length;
  byId("more-rows").hidden = hidden === 0;
  byId("more-rows").textContent = say("moreRows", { count: Math.min(hidden, 2 * FIRST_ROWS) });
}

/** The ranks of the ideal that stand beside no row. */
function showMorePositions(result) {
  const beyond = (result.ideal ?? []).slice(Math.min(model.items.length, shownRows));
  const adds = beyond.reduce((sum, rank) => sum + rank.adds, 0);
  byId("more-positions").textContent = beyond.length
    ? say("morePositions", { count: beyond.length, adds: writeLong(adds) })
    : "";
}

function speak(result, moved) {
  const value = result.problem ? say(`problems.${result.problem}`) : byId("value").textContent;
  const at = model.items.indexOf(moved);
  const place = at < model.ranked ? say("placeRanked", { rank: at + 1, count: model.ranked }) : say("placeUnranked");
  const values = { measure: measureName("NDCG"), value, place, item: at < 0 ? "" : shownName(moved) };
  byId("live").textContent = say(at < 0 ? "live" : "liveMoved", values);
}

/** Keep a list that was changed in the address, so that it survives a reload and can be sent. */
function rememberInAddress() {
  if (model.items.length > MOST_IN_LINK) return;
  try {
    history.replaceState(null, "", isAsStarted() ? location.href.replace(/#.*$/, "") : writeFragment());
  } catch {
    // A page inside another may not change its address; the button still copies the link.
  }
}

async function copyLink() {
  const share = byId("share");
  try {
    await navigator.clipboard.writeText(location.href.replace(/#.*$/, "") + writeFragment());
    share.textContent = say("copied");
  } catch {
    history.replaceState(null, "", writeFragment());
    share.textContent = say("notCopied");
  }
  setTimeout(() => (share.textContent = say("share")), 2000);
}

/** What the list is about, and where its value was printed; a list from a link has neither. */
function showStory(list) {
  byId("story").textContent = list.story ? say(`stories.${list.story}`) : "";
  byId("story").hidden = !list.story;
  byId("printed").textContent = list.printed;
  byId("printed").hidden = !list.printed;
  byId("tied").hidden = !list.tied;
}

function startAgain(list) {
  rowOf.clear();
  byId("rows").replaceChildren();
  shownRows = FIRST_ROWS;
  takeList(list);
  showStory(list);
  show();
}

function translate() {
  document.documentElement.lang = language;
  document.title = say("what");
  byId("language").lang = language === "en" ? "ko" : "en";
  for (const part of document.querySelectorAll("[data-say]")) part.textContent = say(part.dataset.say);
  showStory(model.list);
}

function listen() {
  const onClick = (id, act) => byId(id).addEventListener("click", act);
  const changed = (change) => () => {
    change();
    show();
  };
  onClick("add", changed(() => addItem(1)));
  onClick("add-unjudged", changed(() => addItem(null)));
  onClick("best", changed(() => reorder(1)));
  onClick("worst", changed(() => reorder(-1)));
  onClick("shuffle", changed(() => reorder(0)));
  onClick("again", () => startAgain(data.start));
  onClick("share", copyLink);
  onClick("more-rows", changed(() => (shownRows += 2 * FIRST_ROWS)));
  onClick("theme", () => {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark" ||
      (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  });
  onClick("language", () => {
    language = language === "en" ? "ko" : "en";
    translate();
    show();
  });
  for (const example of document.querySelectorAll("[data-example]")) {
    example.addEventListener("click", () => startAgain(data.examples[example.dataset.example]));
  }
  listenToRules(changed);
}

function listenToRules(changed) {
  const onInput = (id, act) => byId(id).addEventListener("input", changed(() => act(byId(id).value)));
  onInput("convention", (at) => {
    if (at !== "-1") model.rules = { ...data.conventions[Number(at)].rules, k: model.rules.k };
  });
  for (const field of ["gain", "discount", "ideal"]) {
    onInput(field, (variant) => (model.rules[field] = termText(variant, NUMBERS[field][variant] ?? "")));
    onInput(`${field}-numbers`, (numbers) => (model.rules[field] = termText(byId(field).value, numbers)));
  }
  onInput("k", (text) => (model.rules.k = readCutoff(text)));
  onInput("cutoff", (text) => (model.rules.cutoff = readCutoff(text) ?? text));
  for (const rule of ["nothing", "unjudged", "negative"]) onInput(rule, (answer) => (model.rules[rule] = answer));
}

function start() {
  const linked = readFragment(location.hash);
  places = data.places;
  language = linked?.lang ?? data.lang ?? (navigator.language.startsWith("ko") ? "ko" : "en");
  // Elsewhere the start is the candies already.
  document.querySelector("[data-example=candies]").hidden = !data.start.printed;
  takeList(linked ?? data.start);
  translate();
  listen();
  show();
}

start();
