/** Asks a model for a plan, builds the flow, and sends mistakes back once. */

import { errorMessage, HeddleError } from '#contract/errors.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { componentsByName } from '#contract/flow/params/params.ts'
import { problemText } from '#contract/flow/rules/problem.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import type { GenerateAnswer } from '#contract/generator/generator.ts'
import type { UsageMetadata } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import type { ChosenModel } from '../../components/chosen-model.ts'
import { readStructured } from '../../llm/structured-output.ts'
import type { ModelMessage } from '../../models/messages.ts'
import { buildFlow } from './build.ts'
import { type FlowPlan, planSchema, toPlan } from './plan.ts'
import { correction, instructions, plannable, request } from './prompt.ts'

interface ModelReply {
  text: string
  /** The reply as messages, to precede the next question. */
  messages: ModelMessage[]
  usage: UsageMetadata
}

export interface GenerateOptions {
  question: string
  /** The draft to change. */
  draft?: FlowDocument
  model: ChosenModel
  components: readonly ComponentDefinition[]
  ask(messages: ModelMessage[], schema: Record<string, unknown>): Promise<ModelReply>
}

const ATTEMPTS = 2

/** Throws `unprocessable` when the model call fails, or when its second plan is not a flow that can run. */
export async function generateFlow(options: GenerateOptions): Promise<GenerateAnswer> {
  const { question, draft, components } = options
  const definitions = componentsByName(components)
  const types = new Set([
    ...plannable(components).map(({ name }) => name),
    ...(draft?.nodes ?? []).map(({ data }) => data.name),
  ])
  const schema = planSchema([...types])
  const messages: ModelMessage[] = [
    { role: 'system', content: instructions(components) },
    { role: 'user', content: request(question, draft && toPlan(draft, definitions)) },
  ]
  let usage: UsageMetadata | undefined
  let problems: string[] = []
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const reply = await askWith(options, messages, schema)
    usage = addUsage(usage, reply.usage)
    const drawn = buildReply(reply.text, schema, options)
    if ('flow' in drawn) return { ...drawn.flow, problems: drawn.problems, usage }
    problems = drawn.wrong
    messages.push(...reply.messages, { role: 'user', content: correction(problems) })
  }
  const message = `The model drew no flow that can run. Say it in other words, or choose another model. ${problems.join('. ')}`
  throw new HeddleError('unprocessable', message, { problems, usage })
}

async function askWith(
  { ask }: GenerateOptions,
  messages: ModelMessage[],
  schema: Record<string, unknown>,
): Promise<ModelReply> {
  try {
    return await ask(messages, schema)
  } catch (error) {
    throw new HeddleError('unprocessable', `The model could not be asked: ${errorMessage(error)}`)
  }
}

type DraftFlow = Pick<GenerateAnswer, 'problems'> & { flow: Pick<FlowDocument, 'nodes' | 'edges'> }

/** Returns the flow of a reply, or what the rules of flows find wrong with it. */
function buildReply(
  text: string,
  schema: Record<string, unknown>,
  options: GenerateOptions,
): DraftFlow | { wrong: string[] } {
  const read = readStructured(text, schema)
  if ('problem' in read) return { wrong: [read.problem] }
  const { components, model, draft = { nodes: [], edges: [] } } = options
  const definitions = componentsByName(components)
  const plan = read.value as unknown as FlowPlan
  const { flow, problems } = buildFlow(plan, { base: draft, definitions, model })
  const opened = parseFlow(flow)
  if (!opened.ok) return { wrong: [opened.message] }
  const open = flowProblems(flow, components, { kind: agentflow })
  const wrong = open.filter(({ severity, needsPerson }) => severity === 'error' && !needsPerson).map(problemText)
  const seen = [...new Set([...problems, ...wrong])]
  if (seen.length > 0) return { wrong: seen }
  return { flow: { nodes: flow.nodes, edges: flow.edges }, problems: open }
}
