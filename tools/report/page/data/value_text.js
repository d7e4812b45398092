// Attributes as text for people.

/** Text of an attribute; addresses are hexadecimal as well. */
export function valueText(trace, { at, name }) {
  const value = trace.attributes.value(at);
  if (typeof value === "bigint" && value >= 0n && /addr/i.test(name)) return `0x${value.toString(16)}`;
  return trace.attributes.text(at, trace.scale);
}
