/** `?step=3`: which step of an execution is open. */
export interface StepSearch {
  step?: number
}

export function stepSearch(search: Record<string, unknown>): StepSearch {
  const step = Number(search.step)
  return Number.isInteger(step) && step > 0 ? { step } : {}
}
