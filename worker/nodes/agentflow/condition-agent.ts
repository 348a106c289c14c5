import { parseFencedJson } from '#contract/data/json.ts'
import { withoutSecrets } from '#contract/data/secrets.ts'
import { mediaSupportOf } from '#contract/predictions/uploads.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { flagOf, itemsOf, textOf } from '../../inputs/node-inputs.ts'
import { buildMemory, imagesOf, questionTurns } from '../../llm/memory.ts'
import { modelMessages } from '../../llm/messages.ts'
import { callWithMetadata, responseMetadata, timeMetadata } from '../../llm/structured-call.ts'
import { agentflowNode } from '../shared/definition.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'
import { conditionAgentParams, SYSTEM_PROMPT } from './condition-agent-params.ts'

export const conditionAgent: NodeType = {
  definition: agentflowNode({
    label: 'Condition Agent',
    name: 'conditionAgentAgentflow',
    version: 2,
    type: 'ConditionAgent',
    color: '#ff8fab',
    description: 'Lets a language model choose the branch',
    hint: 'If the response is not valid JSON, the model gets one more try. A response that matches no scenario takes the last one, so use it as the fallback.',
    inputs: conditionAgentParams,
    outputs: [
      { label: '0', name: '0', description: 'Condition 0' },
      { label: '1', name: '1', description: 'Condition 1' },
    ],
  }),
  run,
}

async function run(context: StepContext): Promise<StepResult> {
  const { inputs, input, runtimeHistory, clock, components } = context
  const start = clock.now()
  const scenarios = itemsOf(inputs.conditionAgentScenarios).map(({ scenario }) => textOf(scenario).trim())
  if (!scenarios.some(Boolean)) throw new Error('Scenarios are empty. Add at least one.')
  const open = await components.model('conditionAgentModel')
  const memory = flagOf(inputs.conditionAgentEnableMemory)
    ? await buildMemory('conditionAgent', { open, context, hasSystem: true })
    : { turns: [] }
  const asked = runtimeHistory.length === 0 ? questionTurns(input) : []
  const messages = [...briefing(inputs), ...memory.turns, ...imagesOf(asked), question(inputs, scenarios)]
  const told = modelMessages(messages, mediaSupportOf(inputs, 'conditionAgentModel'))
  const schema = answerSchema(scenarios)
  const reader = { read: readChoice, failure: "The model's choice could not be read" }
  const { value, said, usage } = await callWithMetadata({ open, messages: told, schema }, reader, context)
  const taken = matchScenario(value, scenarios)
  return {
    input: { ...withoutSecrets(inputs), messages },
    output: {
      conditions: scenarios.map((output, index) => ({ output, isFulfilled: index === taken })),
      content: said,
      timeMetadata: timeMetadata(start, clock.now()),
      usageMetadata: addUsage(memory.usage, usage),
      responseMetadata: responseMetadata(open),
    },
    ...(asked.length > 0 && { chatHistory: asked }),
    takenOutputs: [taken],
  }
}

/** Returns the index of the scenario that matches the answer: exactly, by prefix, or by one containing the other. Falls back to the last. */
export function matchScenario(answer: string, scenarios: readonly string[]): number {
  const wanted = answer.trim().toLowerCase()
  const known = scenarios.map((scenario) => scenario.trim().toLowerCase())
  const rules: ((scenario: string) => boolean)[] = [
    (scenario) => scenario === wanted,
    (scenario) => scenario.startsWith(wanted),
    (scenario) => scenario !== '' && (scenario.includes(wanted) || wanted.includes(scenario)),
  ]
  const found = rules.map((rule) => known.findIndex(rule)).find((index) => index >= 0)
  return found ?? scenarios.length - 1
}

const EXAMPLE = {
  input: 'Hello',
  scenarios: ['The user asks about AI', 'The user asks about food'],
  instruction: 'Find out whether the user talks about AI. If not, assume food.',
}

/** Returns the system message and a one-shot example. */
function briefing(inputs: Record<string, unknown>): ChatTurn[] {
  const own = flagOf(inputs.conditionAgentOverrideSystemPrompt) ? textOf(inputs.conditionAgentSystemPrompt).trim() : ''
  return [
    { role: 'system', content: own || SYSTEM_PROMPT },
    { role: 'user', content: JSON.stringify(EXAMPLE) },
    { role: 'assistant', content: JSON.stringify({ output: EXAMPLE.scenarios[1] }) },
  ]
}

function question(inputs: Record<string, unknown>, scenarios: string[]): ChatTurn {
  const asked = {
    input: textOf(inputs.conditionAgentInput),
    scenarios,
    instruction: textOf(inputs.conditionAgentInstructions),
  }
  return { role: 'user', content: JSON.stringify(asked) }
}

function answerSchema(scenarios: string[]): Record<string, unknown> {
  return {
    type: 'object',
    properties: { output: { type: 'string', enum: [...new Set(scenarios.filter(Boolean))] } },
    required: ['output'],
    additionalProperties: false,
  }
}

function readChoice(text: string): { value: string } | { problem: string } {
  const answer = parseFencedJson(text)
  if (typeof answer !== 'object' || answer === null) return { problem: 'it is not JSON' }
  const { output } = answer as { output?: unknown }
  if (typeof output !== 'string' || output.trim() === '') return { problem: '"output" does not name a scenario' }
  return { value: output }
}
