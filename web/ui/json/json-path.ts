/** Returns a path as in JavaScript: `items[0].name`, `items[0]["first name"]`. */
export function jsonPath(keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'string' && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) return path ? `${path}.${key}` : key
    return `${path}[${JSON.stringify(key)}]`
  }, '')
}
