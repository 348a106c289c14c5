/** `?step=llm_0%231`: the path of the step of an execution that is open. */
export interface StepSearch {
  step?: string
}

export function stepSearch(search: Record<string, unknown>): StepSearch {
  return typeof search.step === 'string' && search.step !== '' ? { step: search.step } : {}
}
