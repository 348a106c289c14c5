/** Calls `work` at the start of every minute until the returned function is called. */
export function everyMinute(work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout
  function plan(): void {
    timer = setTimeout(
      () => {
        plan()
        work().catch((error) => console.error('The minute task failed:', error))
      },
      60_000 - (Date.now() % 60_000),
    )
  }
  plan()
  return () => clearTimeout(timer)
}
