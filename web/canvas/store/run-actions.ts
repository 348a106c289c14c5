/** What can be done with the last run from a canvas whose flow is stored. */
import { createContext, useContext } from 'react'
import type { HumanAnswer, HumanInputAction, TraceItem } from '#contract/events.ts'

export interface Runs {
  /** Answers what the run asks; it goes on in the same lights. */
  answer(question: HumanInputAction, given: HumanAnswer): Promise<void>
  /** Asks with which inputs to run again from this step; absent where the person may not. */
  askReplay?: (item: TraceItem) => void
}

const RunsContext = createContext<Runs | null>(null)

export const RunsProvider = RunsContext.Provider

/** Null while the flow is not stored: nothing has run. */
export const useRuns = (): Runs | null => useContext(RunsContext)
