import { agentflowNode } from '../shared/definition.ts'
import { flagOf, itemsOf, pairsOf, textOf } from '../shared/inputs.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'
import { startParams } from './start-params.ts'

export const start: NodeType = {
  definition: agentflowNode({
    label: 'Start',
    name: 'startAgentflow',
    version: 1.4,
    type: 'Start',
    color: '#7EE787',
    hideInput: true,
    description: 'Where every run begins: with a message or a form',
    inputs: startParams,
  }),
  run,
}

async function run(context: StepContext): Promise<StepResult> {
  const { inputs, input } = context
  const flags = {
    ...(flagOf(inputs.startEphemeralMemory) && { ephemeralMemory: true }),
    ...(flagOf(inputs.startPersistState) && { persistState: true }),
  }
  const state = startState(context)
  switch (inputs.startInputType) {
    case 'chatInput':
      return { input: { question: input.text }, output: { question: input.text, ...flags }, state }
    case 'formInput': {
      const { formTitle, formDescription, formInputTypes } = inputs
      const form = { title: textOf(formTitle), description: textOf(formDescription), inputs: itemsOf(formInputTypes) }
      return { input: { form }, output: { form: input.form ?? input.text, ...flags }, state }
    }
    case 'webhookTrigger':
      throw new Error(
        'This flow is started by a webhook, not by a chat message: set Input Type to Chat Input or Form Input',
      )
    case 'scheduleInput':
      throw new Error(
        'This flow is started by a schedule, not by a chat message: set Input Type to Chat Input or Form Input',
      )
    default:
      throw new Error(`Input Type "${textOf(inputs.startInputType)}" is not known: choose Chat Input or Form Input`)
  }
}

/** The flow state at the beginning: as declared, under what the caller carries into the run. */
function startState({ inputs, state }: StepContext): Record<string, unknown> {
  return { ...Object.fromEntries(pairsOf(inputs.startState)), ...state }
}
