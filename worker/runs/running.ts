/**
 * Runs of this isolate: a cancelled one stops before it next reads the database, and people who come back to a chat read
 * along. Plain data: a request must not use objects of another request.
 */
import type { RunEvent } from '#contract/runs/events.ts'

export interface RunningRun {
  flowId: string
  chatId: string
  stopped: boolean
  /** The tokens so far. */
  text: string
  /** Steps and tools so far. */
  progress: RunEvent[]
}

const running = new Map<string, RunningRun>()
let lastStart = 0

/** Returns when the last run of this isolate began, in milliseconds since 1970; 0 when none did. */
export const lastRunStart = (): number => lastStart

interface Started {
  flowId: string
  chatId: string
  now: Date
}

export function registerRun(executionId: string, { flowId, chatId, now }: Started): RunningRun {
  const run: RunningRun = { flowId, chatId, stopped: false, text: '', progress: [] }
  running.set(executionId, run)
  lastStart = now.getTime()
  return run
}

export function unregisterRun(executionId: string): void {
  running.delete(executionId)
}

/** Keeps what people read along. Traces are left out, since the stored run has them. */
export function recordEvent(run: RunningRun, event: RunEvent): void {
  if (event.event === 'token') run.text += event.data
  else if (event.event === 'nextAgentFlow' || event.event === 'calledTools' || event.event === 'usedTools')
    run.progress.push(event)
}

/** Returns undefined when the run is over, or in another isolate. */
export const runningRun = (executionId: string): RunningRun | undefined => running.get(executionId)

export function isCancellationRequested(executionId: string): boolean {
  return running.get(executionId)?.stopped ?? false
}

/** Returns the runs of this isolate that nobody has cancelled yet. */
export const liveRuns = (): string[] => [...running].flatMap(([id, { stopped }]) => (stopped ? [] : [id]))

/** Has no effect when the run is over, or in another isolate. */
export function stopRun(executionId: string): void {
  const run = running.get(executionId)
  if (run) run.stopped = true
}

/** Returns whether a run of this chat is in this isolate. */
export function requestCancellation(chat: { flowId: string; chatId: string }): boolean {
  const found = [...running.values()].filter((run) => run.flowId === chat.flowId && run.chatId === chat.chatId)
  for (const run of found) run.stopped = true
  return found.length > 0
}
