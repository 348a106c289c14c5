/** JSON in which sets, maps and whole numbers of any size are kept. Its texts come from here alone. */

export const toSnapshot = (value: unknown): string =>
  JSON.stringify(value, (_, each) => {
    if (each instanceof Map) return { $map: [...each] }
    if (each instanceof Set) return { $set: [...each] }
    return typeof each === 'bigint' ? { $bigint: String(each) } : each
  })

/** Returns what `toSnapshot` was given. An object of a person's file is no value of it unless it is JSON text. */
export const fromSnapshot = <Value>(text: string): Value =>
  JSON.parse(text, (_, each) => {
    if (Array.isArray(each?.$map)) return new Map(each.$map)
    if (Array.isArray(each?.$set)) return new Set(each.$set)
    return typeof each?.$bigint === 'string' ? BigInt(each.$bigint) : each
  })
