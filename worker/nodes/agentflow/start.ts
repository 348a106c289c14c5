import { START } from '#contract/flow/kinds/agentflow/nodes.ts'
import { flagOf, itemsOf, pairsOf, textOf } from '../../inputs/node-inputs.ts'
import { agentflowNode } from '../shared/definition.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'
import { startParams } from './start-params.ts'

export const start: NodeType = {
  definition: agentflowNode({
    label: 'Start',
    name: START,
    version: 1.4,
    type: 'Start',
    color: '#7EE787',
    hideInput: true,
    description: 'Where every run starts: from a message, a form, a webhook or a schedule',
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
    case 'scheduleInput': {
      const { question, form, webhook } = input
      const given = { ...(webhook && { webhook }), ...(form && { form }), ...(question !== undefined && { question }) }
      return { input: given, output: { ...given, ...flags }, state }
    }
    default:
      throw new Error(`Input type "${textOf(inputs.startInputType)}" does not exist. Choose one from the list.`)
  }
}

/** Returns the initial flow state: the declared values, overridden by state carried into the run. */
function startState({ inputs, state }: StepContext): Record<string, unknown> {
  return { ...Object.fromEntries(pairsOf(inputs.startState)), ...state }
}
