/** Processes that a measurement forks: each says when it is ready, answers one question at a time, and ends with us. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Forked<Ready> {
  /** What it said when it was ready. */
  ready: Ready
  ask<Answer>(question: unknown): Promise<Answer>
  close(): Promise<void>
}

/** @param file below `e2e/bench` */
export async function forkProcess<Ready>(file: string, args: string[] = []): Promise<Forked<Ready>> {
  const child = fork(join(import.meta.dirname, '..', file), args)
  const ended = once(child, 'exit')
  const gone = ended.then(() => Promise.reject(new Error(`The process of ${file} ended`)))
  gone.catch(() => {})
  const message = async <T>() => (await Promise.race([once(child, 'message'), gone]))[0] as T
  return {
    ready: await message<Ready>(),
    ask(question) {
      const answer = message()
      child.send(question as object)
      return answer as Promise<never>
    },
    async close() {
      child.disconnect()
      await ended
    },
  }
}
