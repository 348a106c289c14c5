/** All results in order, once all have ended; of several failures the first in order counts, not the first in time. */
export async function allInOrder<T>(state: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(state)
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}
