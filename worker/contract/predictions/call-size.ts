/** How many characters a call has besides its files. Pure. */

/** The most characters that any caller may send. */
export const MAX_CALL_CHARACTERS = 1024 * 1024

/** Returns the largest field of a call that is longer than allowed, or undefined. */
export function fieldBeyond({ uploads: _, ...body }: object & { uploads?: unknown }, max: number): string | undefined {
  const sizes = Object.entries(body).map(([field, value]) => ({ field, size: JSON.stringify(value ?? null).length }))
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  return total > max ? sizes.sort((one, other) => other.size - one.size)[0]?.field : undefined
}
