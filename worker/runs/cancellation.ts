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

/** Returns whether a run of this chat is in this isolate. */
export function requestCancellation(chat: { flowId: string; chatId: string }): boolean {
  const found = [...running.values()].filter((run) => run.flowId === chat.flowId && run.chatId === chat.chatId)
  for (const run of found) run.stopped = true
  return found.length > 0
}
