/** The Condition Agent node's parameters. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import { memoryTypeParams, modelParam } from '../shared/params.ts'

export const SYSTEM_PROMPT = `You decide which way a workflow goes on. Each message of the user is a JSON object with three fields:
- "input": what is to be judged
- "scenarios": the ways that exist
- "instruction": what to pay attention to
Choose the one scenario that fits the input best, by the instruction and by the conversation so far. Answer with a JSON object whose field "output" is that scenario, word for word, and with nothing else: {"output": "<scenario>"}`

export const conditionAgentParams: InputParam[] = [
  modelParam('conditionAgentModel'),
  {
    label: 'Instructions',
    name: 'conditionAgentInstructions',
    type: 'string',
    description: 'What the model is to pay attention to when it chooses',
    placeholder: 'Find out what the customer wants',
    rows: 4,
    acceptVariable: true,
  },
  {
    label: 'Input',
    name: 'conditionAgentInput',
    type: 'string',
    description: 'What is judged',
    default:
      '<p><span class="variable" data-type="mention" data-id="question" data-label="question">{{ question }}</span> </p>',
    rows: 4,
    acceptVariable: true,
  },
  {
    label: 'Scenarios',
    name: 'conditionAgentScenarios',
    type: 'array',
    description: 'The branches to choose from; the last one is also taken when none fits',
    minItems: 1,
    default: [{ scenario: '' }, { scenario: '' }],
    array: [{ label: 'Scenario', name: 'scenario', type: 'string', placeholder: 'The customer wants a refund' }],
  },
  ...memoryTypeParams('conditionAgent'),
  {
    label: 'Override System Prompt',
    name: 'conditionAgentOverrideSystemPrompt',
    type: 'boolean',
    description: 'Use a system prompt of your own',
    optional: true,
  },
  {
    label: 'Condition Agent System Prompt',
    name: 'conditionAgentSystemPrompt',
    type: 'string',
    description: 'It must make the model answer with JSON: {"output": "<scenario>"}',
    default: SYSTEM_PROMPT,
    rows: 4,
    optional: true,
    acceptVariable: true,
    show: { conditionAgentOverrideSystemPrompt: true },
  },
]
