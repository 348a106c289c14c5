/** The model of chat-flow templates. */
import type { Part } from '#contract/flow/kinds/types.ts'
import { PRACTICE_MODEL } from '#contract/flow/practice-model.ts'

/** Answers without a key, until somebody chooses another model. */
export const practice = (label = 'Model'): Part => ({ name: PRACTICE_MODEL, label })
