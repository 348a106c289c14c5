const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i

/** Returns true for `#rgb`, `#rrggbb` and the same with opacity: all that a style takes from a stored value. */
export const isColor = (value: unknown): value is string => typeof value === 'string' && HEX.test(value)
