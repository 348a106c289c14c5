/** The Condition Agent node's parameters. */
import type { InputParam } from '#contract/flow/params/definition.ts'
import { memoryTypeParams, modelParam } from '../shared/params.ts'

export const SYSTEM_PROMPT = `You decide which branch a workflow takes. Each user message is a JSON object with three fields:
- "input": the content to classify
- "scenarios": the available branches
- "instruction": how to decide
Choose the one scenario that best fits the input, considering the instruction and the conversation so far. Reply only with a JSON object whose "output" field is that scenario, word for word: {"output": "<scenario>"}`

export const conditionAgentParams: InputParam[] = [
  modelParam('conditionAgentModel'),
  {
    label: 'Instructions',
    name: 'conditionAgentInstructions',
    type: 'string',
    description: 'How the model should choose a scenario',
    placeholder: 'Determine what the customer wants',
    rows: 4,
    acceptVariable: true,
  },
  {
    label: 'Input',
    name: 'conditionAgentInput',
    type: 'string',
    description: 'The content to classify',
    default:
      '<p><span class="variable" data-type="mention" data-id="question" data-label="question">{{ question }}</span> </p>',
    rows: 4,
    acceptVariable: true,
  },
  {
    label: 'Scenarios',
    name: 'conditionAgentScenarios',
    type: 'array',
    description: 'The branches to choose from. The last one is taken when none fits.',
    minItems: 1,
    default: [{ scenario: '' }, { scenario: '' }],
    array: [{ label: 'Scenario', name: 'scenario', type: 'string', placeholder: 'The customer wants a refund' }],
  },
  ...memoryTypeParams('conditionAgent'),
  {
    label: 'Override system prompt',
    name: 'conditionAgentOverrideSystemPrompt',
    type: 'boolean',
    description: 'Use your own system prompt',
    optional: true,
  },
  {
    label: 'Condition agent system prompt',
    name: 'conditionAgentSystemPrompt',
    type: 'string',
    description: 'Must make the model respond with JSON: {"output": "<scenario>"}',
    default: SYSTEM_PROMPT,
    rows: 4,
    optional: true,
    acceptVariable: true,
    show: { conditionAgentOverrideSystemPrompt: true },
  },
]
