// How gains and discounts are written with the numbers put in.

const PLACES = 4;
const SUPERSCRIPTS = { "-": "⁻", ".": "·", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((digit, at) => [at, digit])) };

let places = PLACES;

/** A number with a true minus sign; whole numbers without digits after the point. */
function writeShort(number) {
  return withMinus(Number.isInteger(number) ? String(number) : String(Number(number.toFixed(places))));
}

/** A number with as many digits after the point as the page shows. */
const writeLong = (number) => withMinus(number.toFixed(places));

const withMinus = (text) => text.replace(/^-(?=.*[1-9])/, "−").replace(/^-/, "");

const raised = (number) => [...String(Number(number.toFixed(2)))].map((digit) => SUPERSCRIPTS[digit]).join("");

/** The gain of a grade as a formula, such as `2³ − 1`; empty where the gain is plain to see. */
function writeGain(grade, gain) {
  switch (gain.kind) {
    case "exp2":
      return `2${raised(grade + first(gain, 0))} − 1`;
    case "binary":
      return first(gain, 0) ? `${writeShort(grade)} ≥ ${writeShort(first(gain, 0))}` : `${writeShort(grade)} > 0`;
    case "share":
      return gain.numbers.length ? `${writeShort(grade)} / ${writeShort(first(gain))}` : "";
    case "chance":
      return `(2${raised(grade)} − 1) / 2${raised(first(gain))}`;
    default:
      return "";
  }
}

/** The discount of a rank as a formula, such as `1 / log₂ 3`. */
function writeDiscount(rank, discount) {
  const base = first(discount, 2);
  const log = (number) => (base === 2 ? `1 / log₂ ${number}` : `1 / log_${writeShort(base)} ${number}`);
  switch (discount.kind) {
    case "log2":
    case "log":
      return log(rank + 1);
    case "jarvelin":
      return rank < base ? "1" : log(rank);
    case "clipped":
      return `1 / log₂ ${Math.max(rank, 2)}`;
    case "reciprocal":
      return `1 / ${rank}`;
    case "geometric":
      return `${writeShort(1 - base)} × ${writeShort(base)}${raised(rank - 1)}`;
    default:
      return "";
  }
}
