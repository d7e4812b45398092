// Attributes as text for people.

/** Text of an attribute. Non-negative integers in attributes with `addr` in the name are hexadecimal. */
export function valueText(trace, { at, name }) {
  const value = trace.attributes.value(at);
  if (typeof value === "bigint" && value >= 0n && /addr/i.test(name)) return `0x${value.toString(16)}`;
  return trace.attributes.text(at, trace.scale);
}
