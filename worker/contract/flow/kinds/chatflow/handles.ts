/** Ids of handles, which end with the types of their port. */

/** Returns the types of a handle: its last segment, split at `|`. */
export function handleTypes(handleId: string): string[] {
  return handleId
    .slice(handleId.lastIndexOf('-') + 1)
    .split('|')
    .map((type) => type.trim())
}

/** Returns the handle without its types. */
export function handleWithoutTypes(handleId: string): string {
  return handleId.slice(0, handleId.lastIndexOf('-'))
}
