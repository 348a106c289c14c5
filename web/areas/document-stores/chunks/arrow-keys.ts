/** Moving in a grid of cards with the arrow keys. Pure. */

/** Returns the index to go to, within `count` cards in rows of `columns`; undefined for other keys and at the ends. */
export function cardAfterKey(
  key: string,
  { at, count, columns }: { at: number; count: number; columns: number },
): number | undefined {
  const steps: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    Home: 0,
    End: count - 1,
  }
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined
  return next !== undefined && next >= 0 && next < count && next !== at ? next : undefined
}
