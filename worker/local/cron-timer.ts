/** Calls `work` with each minute at its start, until the returned function is called. */
export function startCronTimer(work: (minute: Date) => Promise<void>): () => void {
  let timer: NodeJS.Timeout
  function plan(): void {
    const minute = Math.ceil((Date.now() + 1) / 60_000) * 60_000
    timer = setTimeout(() => {
      plan()
      work(new Date(minute)).catch((error) => console.error('The cron job failed:', error))
    }, minute - Date.now())
  }
  plan()
  return () => clearTimeout(timer)
}
