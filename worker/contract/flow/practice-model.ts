/** The model that answers without a key, as flows name it. */
export const PRACTICE_MODEL = 'practiceModel'

/** Returns the inputs that choose it: `withPracticeModel('agentModel')`. */
export const withPracticeModel = (input: string) => ({
  [input]: PRACTICE_MODEL,
  [`${input}Config`]: { [input]: PRACTICE_MODEL },
})
