// Text in the form in which a search compares it. The server does the same (tools/report/report_attributes.h), so the
// pairs of upper-case and lower-case letters must not depend on the version of the browser. Unicode guarantees that the
// pairs of these letters never change.
const UPPER_CASE = /[A-Z\u00c0-\u017e\u0386-\u03ab\u0400-\u052e]/g;

function lowerLetter(letter) {
  const lower = letter.toLowerCase();
  return lower.length === 1 ? lower : letter; // U+0130 becomes two characters
}

/** The text with lower-case Latin, Greek and Cyrillic letters. */
export function folded(text) {
  return text.replace(UPPER_CASE, lowerLetter);
}
