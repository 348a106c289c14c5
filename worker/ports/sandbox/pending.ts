/** Promises of the host for the interpreter. */
import type { QuickJSContext, QuickJSDeferredPromise, QuickJSHandle } from 'quickjs-emscripten-core'

type Settled = { deferred: QuickJSDeferredPromise } & ({ text: string } | { error: string })

export type Pending = ReturnType<typeof createPending>

/** Queues results that arrive at any time. Only `deliver` enters the interpreter, called by the run. */
export function createPending(context: QuickJSContext) {
  const settled: Settled[] = []
  const waiting = new Set<Promise<unknown>>()

  return {
    /** Returns a guest promise that settles with the work's text or error. */
    promiseOf(work: Promise<string>): QuickJSHandle {
      const deferred = context.newPromise()
      const done = work.then(
        (text) => settled.push({ deferred, text }),
        (error) => settled.push({ deferred, error: error instanceof Error ? error.message : String(error) }),
      )
      waiting.add(done)
      void done.then(() => waiting.delete(done))
      return deferred.handle
    },
    isWaiting: () => waiting.size > 0 || settled.length > 0,
    count: () => waiting.size,
    /** Resolves when a result can be delivered. */
    next: async () => settled.length > 0 || Promise.race(waiting),
    deliver() {
      for (const answer of settled.splice(0)) {
        const { deferred } = answer
        if ('text' in answer) context.newString(answer.text).consume((text) => deferred.resolve(text))
        else context.newError({ name: 'Error', message: answer.error }).consume((error) => deferred.reject(error))
        deferred.dispose()
      }
    },
  }
}
