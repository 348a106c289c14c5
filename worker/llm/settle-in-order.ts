/** Like Promise.all, but waits for all promises and rejects with the first failure in order, not in time. */
export async function allInOrder<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(promises)
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}
