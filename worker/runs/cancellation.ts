/**
 * Runs of this isolate, so that a cancelled one stops before it next reads the database. Plain data: a request must not
 * use objects of another request.
 */
const running = new Map<string, { flowId: string; chatId: string; stopped: boolean }>()

export function registerRun(executionId: string, chat: { flowId: string; chatId: string }): void {
  running.set(executionId, { ...chat, stopped: false })
}

export function unregisterRun(executionId: string): void {
  running.delete(executionId)
}

export function isCancellationRequested(executionId: string): boolean {
  return running.get(executionId)?.stopped ?? false
}

export function requestCancellation(chat: { flowId: string; chatId: string }): void {
  for (const run of running.values()) {
    if (run.flowId === chat.flowId && run.chatId === chat.chatId) run.stopped = true
  }
}
