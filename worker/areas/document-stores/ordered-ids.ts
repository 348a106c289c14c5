/** The first 48 bits of a UUID of version 7 are milliseconds, of which each leaves room for so many places. */
const PLACES = 0x1000

/**
 * Returns ids that sort in the order in which they were made (UUID version 7). Rows that are made together then lie
 * together in each index, which a database writes several times as fast.
 */
export function orderedIds(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const time = hex(now.getTime() + Math.floor(at / PLACES), 12)
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(at % PLACES, 3)}-${crypto.randomUUID().slice(19)}`
  })
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
