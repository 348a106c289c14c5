/** Chat ids that anonymous callers may use, by names that a test can read. */
import { createHash } from 'node:crypto'

/** Returns the UUID that stands for a name in tests. */
export function chatIdOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
