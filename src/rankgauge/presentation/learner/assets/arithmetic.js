// NDCG of one list, as rankgauge's reference engine computes it. Pure functions; the tests compare them with the package.

/** Read the text of a term, such as `binary(2)` or `table(0=0,1=3)`: its kind and its numbers, null if it is no term. */
function readTerm(text) {
  const parts = /^\s*([a-z0-9-]+)\s*(?:\(([^()]*)\))?\s*$/.exec(text);
  if (!parts) return null;
  const words = parts[2] === undefined ? [] : parts[2].split(",").map((word) => word.trim());
  const numbers = words.map((word) => word.split("=").map((number) => (number.trim() === "" ? NaN : Number(number))));
  return numbers.flat().every(Number.isFinite) ? { kind: parts[1], numbers } : null;
}

const pairs = (term) => term.numbers.every((row) => row.length === 2);
const singles = (term, most = 1) => term.numbers.length <= most && term.numbers.every((row) => row.length === 1);
const first = (term, otherwise) => (term.numbers.length ? term.numbers[0][0] : otherwise);
const falling = (weights) => weights.every((weight, at) => weight >= 0 && (at === 0 || weight <= weights[at - 1]));

/** What each kind of term demands of its numbers. */
const TERMS = {
  gain: {
    linear: (term) => pairs(term) && term.numbers.every(([, gain]) => gain >= 0),
    exp2: (term) => singles(term),
    binary: (term) => singles(term),
    share: (term) => singles(term) && first(term, 1) > 0,
    chance: (term) => term.numbers.length === 1 && singles(term) && first(term) > 0 && first(term) <= 1000,
    table: (term) => term.numbers.length > 0 && pairs(term) && term.numbers.every(([, gain]) => gain >= 0),
  },
  discount: {
    log2: (term) => term.numbers.length === 0,
    log: (term) => term.numbers.length === 1 && singles(term) && first(term) > 1,
    jarvelin: (term) => singles(term) && first(term, 2) > 1,
    clipped: (term) => term.numbers.length === 0,
    reciprocal: (term) => term.numbers.length === 0,
    geometric: (term) => term.numbers.length === 1 && singles(term) && first(term) > 0 && first(term) < 1,
    table: (term) => term.numbers.length > 0 && singles(term, Infinity) && falling(term.numbers.flat()),
    none: (term) => term.numbers.length === 0,
  },
  ideal: {
    judged: (term) => term.numbers.length === 0,
    "list-length": (term) => term.numbers.length === 0,
    uncut: (term) => term.numbers.length === 0,
    ranked: (term) => term.numbers.length === 0,
    top: (term) => term.numbers.length === 0,
    perfect: (term) => singles(term) && first(term, 1) > 0,
  },
};

/** Read a gain, a discount or an ideal; null if the text is none. */
function readValid(field, text) {
  const term = readTerm(text);
  return term && Object.hasOwn(TERMS[field], term.kind) && TERMS[field][term.kind](term) ? term : null;
}

function gainOf(grade, gain, highest) {
  switch (gain.kind) {
    case "linear":
      return (gain.numbers.findLast(([known]) => known === grade) ?? [grade, grade])[1];
    case "exp2":
      return 2 ** (grade + first(gain, 0)) - 1;
    case "binary":
      return grade > 0 && grade >= first(gain, 0) ? 1 : 0;
    case "share":
      return grade / first(gain, highest > 0 ? highest : 1);
    case "chance":
      return (2 ** grade - 1) / 2 ** first(gain);
    default:
      return (gain.numbers.findLast(([known]) => known === grade) ?? [grade, NaN])[1];
  }
}

function discountAt(rank, discount) {
  const base = first(discount, 2);
  const log = (number) => (base === 2 ? Math.log2(number) : Math.log(number) / Math.log(base));
  switch (discount.kind) {
    case "log2":
    case "log":
      return 1 / log(rank + 1);
    case "jarvelin":
      return rank < base ? 1 : 1 / log(rank);
    case "clipped":
      return 1 / Math.log2(Math.max(rank, 2));
    case "reciprocal":
      return 1 / rank;
    case "geometric":
      return (1 - base) * base ** (rank - 1);
    case "table":
      return rank <= discount.numbers.length ? discount.numbers[rank - 1][0] : 0;
    default:
      return 1;
  }
}

/** Why the package would refuse a list; null if it would not. `grade` null is unjudged. */
function refusal(items, rules, gain) {
  const judged = items.filter((item) => item.grade !== null);
  if (rules.negative === "error" && judged.some((item) => item.grade < 0)) return "negative-grade";
  if (rules.unjudged === "error" && items.some((item) => item.ranked && item.grade === null)) return "unjudged-item";
  const top = gain.kind === "share" || gain.kind === "chance" ? first(gain, Infinity) : Infinity;
  const lacking = (grade) => grade > top || Number.isNaN(gainOf(grade, gain, 0));
  if (judged.some((item) => !isWorthless(item.grade, rules) && lacking(item.grade))) return "grade-not-in-table";
  return null;
}

const isWorthless = (grade, rules) => grade < 0 && (rules.negative === "zero" || rules.negative === "drop");

function isDropped(item, rules) {
  if (item.grade === null) return rules.unjudged === "drop";
  return isWorthless(item.grade, rules) && (rules.unjudged === "drop" || rules.negative === "drop");
}

/** The rank after which the list is cut, and the one after which the ideal is; Infinity is never. */
function cutoffs(length, rules, kind) {
  const byDefault = { list: length, all: Infinity }[rules.cutoff] ?? rules.cutoff;
  const k = rules.k ?? byDefault;
  if (kind === "uncut") return { k, ideal: Infinity };
  if (kind === "ranked" || kind === "top" || kind === "list-length") return { k, ideal: Math.min(k, length) };
  return { k, ideal: kind === "perfect" && k === Infinity ? length : k };
}

/** Gain, discount, what they add and the sum so far, at each rank. */
function sumUp(gains, discount) {
  let running = 0;
  return gains.map((gain, at) => {
    const weight = discountAt(at + 1, discount);
    running += gain * weight;
    return { rank: at + 1, gain, discount: weight, adds: gain * weight, running };
  });
}

const lastSum = (ranks) => (ranks.length ? ranks[ranks.length - 1].running : 0);

/**
 * Compute DCG, IDCG and NDCG of one list.
 * items: [{grade, ranked}], those that are ranked first and in their order; grade null is unjudged.
 * rules: gain, discount and ideal as texts; k, a number or null; cutoff, what holds without k: "list", "all" or a
 * number; negative, unjudged and nothing as the conventions answer.
 */
function compute(items, rules) {
  const gain = readValid("gain", rules.gain);
  const discount = readValid("discount", rules.discount);
  const ideal = readValid("ideal", rules.ideal);
  if (!gain || !discount || !ideal) return { problem: "bad-term" };
  const refused = refusal(items, rules, gain);
  if (refused) return { problem: refused };
  const judged = items.map((item, at) => ({ ...item, at })).filter((item) => item.grade !== null);
  const highest = judged.reduce((most, item) => Math.max(most, item.grade), 0);
  const worth = ({ grade }) => (grade === null || isWorthless(grade, rules) ? 0 : gainOf(grade, gain, highest));
  const list = items.map((item, at) => ({ ...item, at })).filter((item) => item.ranked && !isDropped(item, rules));
  const cuts = cutoffs(list.length, rules, ideal.kind);
  const counted = list.slice(0, cuts.k);
  const ranks = sumUp(counted.map(worth), discount).map((rank, at) => ({ ...rank, at: counted[at].at }));
  const candidates = { ranked: list, top: list.slice(0, cuts.ideal) }[ideal.kind] ?? judged;
  const best = candidates.toSorted((one, other) => worth(other) - worth(one)).slice(0, cuts.ideal);
  const bestGains = ideal.kind === "perfect" ? Array(cuts.ideal).fill(first(ideal, 1)) : best.map(worth);
  const idealRanks = sumUp(bestGains, discount).map((rank, at) => ({ ...rank, at: best[at]?.at ?? null }));
  if (ideal.kind === "perfect") idealRanks.forEach((rank) => (rank.at = null));
  const dcg = lastSum(ranks);
  const idcg = lastSum(idealRanks);
  if (!Number.isFinite(dcg) || !Number.isFinite(idcg)) return { problem: "overflow" };
  const hollow = ideal.kind === "perfect" && !judged.some((item) => worth(item) > 0);
  const empty = idcg <= 0 || hollow;
  if (empty && rules.nothing === "error") return { problem: "nothing-relevant" };
  const value = empty ? ({ zero: 0, one: 1 }[rules.nothing] ?? null) : dcg / idcg;
  const others = empty || ideal.kind === "top" ? null : otherOrders(list.map(worth), counted.length, discount, idcg);
  return { ranks, ideal: idealRanks, dcg, idcg, value, empty, cuts, length: list.length, others };
}

/** NDCG of the worst order of the same items, and the mean over all of their orders. */
function otherOrders(gains, count, discount, idcg) {
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const worst = gains.toSorted((one, other) => one - other).slice(0, count);
  const random = lastSum(sumUp(Array(count).fill(mean), discount)) / idcg;
  return gains.length ? { worst: lastSum(sumUp(worst, discount)) / idcg, random } : null;
}

/** What the place of each item costs; all costs together are 1 − NDCG. `at` null: ranks that hold no item. */
function costs(result) {
  const lost = new Map();
  const entry = (at) => lost.get(at) ?? lost.set(at, { at, rank: null, idealRank: null, cost: 0 }).get(at);
  const perfect = result.ideal.some((rank) => rank.at === null);
  result.ranks.forEach((rank) => {
    entry(rank.at).rank = rank.rank;
    entry(rank.at).cost -= rank.adds / result.idcg;
  });
  result.ideal.forEach((rank) => {
    // Perfect positions have no items: each rank answers for itself.
    const owner = entry(perfect ? (result.ranks[rank.rank - 1]?.at ?? null) : rank.at);
    owner.idealRank = owner.at === null ? null : rank.rank;
    owner.cost += rank.adds / result.idcg;
  });
  return [...lost.values()].toSorted((one, other) => other.cost - one.cost);
}
