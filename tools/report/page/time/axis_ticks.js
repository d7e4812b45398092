// Positions of the marks on a time axis: steps of 1, 2 or 5 times a power of ten ticks, computed in integers. D3's
// scales use doubles, which cannot tell two neighbouring ticks of a long trace apart.
import { formatTicks, powerOfTen } from "./ticks.js";

/** The least step (BigInt, 1, 2 or 5 times a power of ten) that is at least @p least ticks. */
export function niceStep(least) {
  if (least <= 1) return 1n;
  const exponent = Math.max(0, Math.floor(Math.log10(least)));
  for (const factor of [1n, 2n, 5n]) {
    const step = factor * powerOfTen(exponent);
    if (Number(step) >= least) return step;
  }
  return powerOfTen(exponent + 1);
}

/** Marks of a view with about @p distance pixels between them: [{tick, x, text}]. Texts are exact. */
export function axisTicks(view, scale, distance = 110) {
  const step = niceStep(view.ticksPerPixel * distance);
  const marks = [];
  let tick = (view.start / step) * step;
  if (tick < view.start) tick += step;
  if (tick < 0n) tick = 0n;
  for (const end = view.end; tick <= end && marks.length < 100; tick += step) {
    marks.push({ tick, x: view.x(tick), text: formatTicks(tick, scale) });
  }
  return { step, marks };
}
