/** Actions on the last run of a stored flow. */
import { createContext, useContext } from 'react'
import type { HumanAnswer, HumanInputAction, TraceItem } from '#contract/runs/events.ts'

export interface Runs {
  /** Answers a question of the run, which continues on the same canvas. */
  answer(question: HumanInputAction, given: HumanAnswer): Promise<void>
  /** Opens the replay dialog for a step; absent without permission. */
  askReplay?: (item: TraceItem) => void
}

const RunsContext = createContext<Runs | null>(null)

export const RunsProvider = RunsContext.Provider

/** Returns null for a flow that was never saved. */
export const useRuns = (): Runs | null => useContext(RunsContext)
