/** `?step=llm_0%231`: path of the selected step. */
export interface StepSearch {
  step?: string
}

export function stepSearch(search: Record<string, unknown>): StepSearch {
  return typeof search.step === 'string' && search.step !== '' ? { step: search.step } : {}
}
