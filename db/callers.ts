/** Says whom a statement is for, so that the callers of an isolate get their turns at the database (`slots.ts`). */
import { AsyncLocalStorage } from 'node:async_hooks'

const callers = new AsyncLocalStorage<() => string>()

/**
 * Runs `work`, and all that it begins, for one caller.
 * @param name is asked for each request, because who calls is often known only after the first read
 */
export const runForCaller = <Result>(name: () => string, work: () => Result): Result => callers.run(name, work)

/** Returns the caller that this runs for. What runs for nobody shares one name. */
export const currentCaller = (): string => callers.getStore()?.() ?? ''
