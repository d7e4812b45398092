// Exact times: ticks are BigInt, a tick is 10^scale seconds. Nothing here goes through a double except where a
// value is only drawn.

const UNITS = new Map([
  [0, "s"], [-3, "ms"], [-6, "us"], [-9, "ns"], [-12, "ps"], [-15, "fs"], [-18, "as"],
]);

/** Returns 10n ** BigInt(exponent). */
export function powerOfTen(exponent) {
  return 10n ** BigInt(exponent);
}

/** Decimal text of digits * 10^exponent, without trailing zeros behind the point. */
function decimal(digits, exponent) {
  if (exponent >= 0) return digits + "0".repeat(exponent);
  const places = -exponent;
  const padded = digits.padStart(places + 1, "0");
  const whole = padded.slice(0, padded.length - places);
  const rest = padded.slice(padded.length - places).replace(/0+$/, "");
  return rest ? `${whole}.${rest}` : whole;
}

/** The exponent of the largest unit that is not longer than the time; for 0, that of the second. */
function unitExponent(magnitude, scale) {
  if (magnitude === 0n) return 0;
  const top = magnitude.toString().length - 1 + scale;
  if (top >= 0) return 0;
  return Math.max(-18, Math.floor(top / 3) * 3);
}

/** Text of a time in ticks, exact, with the unit that `ftr dump` prints: 1350000 at scale -12 is "1.35 us". */
export function formatTicks(ticks, scale) {
  const magnitude = ticks < 0n ? -ticks : ticks;
  const exponent = unitExponent(magnitude, scale);
  const text = decimal(magnitude.toString(), scale - exponent);
  return `${ticks < 0n ? "-" : ""}${text} ${UNITS.get(exponent)}`;
}

/** Text of a time rounded to @p digits significant digits, for axes and tables; exact if it has no more digits. */
export function formatRounded(ticks, scale, digits = 4) {
  const magnitude = ticks < 0n ? -ticks : ticks;
  const excess = magnitude.toString().length - digits;
  if (excess <= 0) return formatTicks(ticks, scale);
  const unit = powerOfTen(excess);
  const rounded = ((magnitude + unit / 2n) / unit) * unit;
  return formatTicks(ticks < 0n ? -rounded : rounded, scale);
}

/** Reads "1.5 us" or a number of ticks. Returns a BigInt (rounded down), or null if the text is not a time. */
export function parseTime(text, scale) {
  const match = /^\s*(\d+)(?:\.(\d+))?\s*(s|ms|us|µs|ns|ps|fs|as)?\s*$/.exec(text);
  if (!match) return null;
  if (!match[3]) return match[2] ? null : BigInt(match[1]);
  const name = match[3] === "µs" ? "us" : match[3];
  const exponent = [...UNITS].find(([, unit]) => unit === name)[0];
  const fraction = match[2] ?? "";
  const shift = exponent - fraction.length - scale;
  const digits = BigInt(match[1] + fraction);
  return shift >= 0 ? digits * powerOfTen(shift) : digits / powerOfTen(-shift);
}

/** Ticks per second as a double, for rates. */
export function ticksPerSecond(scale) {
  return 10 ** -scale;
}

/** @type {[number, string][]} */
const PREFIXES = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];

/** Text of a plain number with a metric prefix: 12345678 is "12.3 M". */
export function formatNumber(value) {
  if (!Number.isFinite(value)) return "-";
  if (value !== 0 && Math.abs(value) < 1) return value.toPrecision(3);
  for (const [limit, prefix] of PREFIXES) {
    if (Math.abs(value) >= limit) {
      const divisor = prefix === "k" ? 1e3 : limit;
      return `${Number((value / divisor).toPrecision(4))} ${prefix}`;
    }
  }
  return String(Number(value.toPrecision(4)));
}

/** A count with a thin space between groups of three digits, exact. */
export function formatCount(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A number with its noun: "1 transaction", "2 transactions". */
export function formatNumberOf(count, one, several = `${one}s`) {
  return `${formatCount(count)} ${String(count) === "1" ? one : several}`;
}
