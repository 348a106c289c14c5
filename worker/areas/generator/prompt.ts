/** The prompts: the task, the available steps, and the rules of a flow. */

import { SECRET_TYPES } from '#contract/flow/document/serialize.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { AGENT_FLOWS, START } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import type { FlowPlan } from './plan.ts'

const TOOLS = 'Tools'

/** Returns the types that a plan may use: agent flow nodes except sticky notes. */
export function plannable(components: readonly ComponentDefinition[]): ComponentDefinition[] {
  return components.filter((component) => component.category === AGENT_FLOWS && !isStickyNote(component))
}

export function instructions(components: readonly ComponentDefinition[]): string {
  const tools = components.filter(({ category }) => category === TOOLS)
  return `You draw workflows of AI agents. Answer with one JSON object: the plan of a flow.

A plan has "steps" and "links".
- A step has an "id" of your choice (letters, digits and _; steps that are there already keep their ids), a "type" of the list below, a short "label" for people, "inside" (the id of the iteration step it stands in, or "") and "inputs": only those that differ from their defaults, as {"name", "value"}. A value is a text; lists and objects are JSON text.
- A link goes "from" a step "to" a step; "output" says which output it leaves, 0 for a step with one.

Rules
- There is exactly one ${START}. Every other step can be reached from it by links.
- Links never form a circle. To go back, end a branch in a loop step, which names the id of an earlier step.
- Steps inside an iteration are linked with each other only; the first of them has no link that enters it. They read the present item as {{$iteration}}.
- A text may refer to what is known when the step runs: {{question}}, {{chat_history}}, {{current_date_time}}, {{$form.name}}, {{$flow.state.key}}, and {{id}} for what the step with that id gave. Refer only to steps before.
- The text of the last step is the answer. Models are chosen already: leave them out.
- Use as few steps as the task needs, and write instructions for models that are complete.

Types
${plannable(components).map(describe).join('\n')}

Tools, for inputs that choose one; what a tool needs is an object beside the choice: {"agentSelectedTool": "x", "agentSelectedToolConfig": {"its input": "value"}}
${tools.map(toolText).join('\n')}`
}

export function request(question: string, present: FlowPlan | undefined): string {
  if (!present) return question
  return `The flow is now this plan:
${JSON.stringify(present)}

Change it as asked, keep everything else, and answer with the whole new plan. The change:
${question}`
}

export function correction(problems: readonly string[]): string {
  return `This plan cannot be used:
${problems.map((problem) => `- ${problem}`).join('\n')}
Answer with the whole plan again, with all of this put right.`
}

function describe(component: ComponentDefinition): string {
  const { name, label, description, outputs = [], hint } = component
  const inputs = component.inputs.filter((param) => isOffered(param, component)).map((param) => `  ${inputText(param)}`)
  const outs = outputs.length > 1 ? ` Outputs in order: ${outputs.map((output) => output.label).join(', ')}.` : ''
  return [`- ${name} (${label}): ${description}.${outs}${hint ? ` ${hint}` : ''}`, ...inputs].join('\n')
}

function toolText({ name, description, inputs }: ComponentDefinition): string {
  const needed = inputs.filter(({ type, unsupported }) => !unsupported && !SECRET_TYPES.has(type))
  const names = needed.map((param) => `${param.name}${param.optional ? '?' : ''}`).join(', ')
  return `- ${name}: ${description}.${names ? ` Inputs: ${names}` : ''}`
}

/** Leaves out models, unsupported inputs, and inputs shown only for an unsupported option. */
function isOffered({ unsupported, loadMethod, show = {} }: InputParam, { inputs }: ComponentDefinition): boolean {
  if (unsupported || loadMethod === 'listModels') return false
  return Object.entries(show).every(([path, expected]) => {
    const option = inputs.find(({ name }) => name === path)?.options?.find(({ name }) => name === expected)
    return !option?.unsupported
  })
}

function inputText(param: InputParam): string {
  const { name, optional, description, array, show } = param
  const when = show ? ` (when ${JSON.stringify(show)})` : ''
  const about = description ? `: ${description}` : ''
  const list = array ? ` list of {${array.map(itemText).join(', ')}}` : ` ${kindOf(param)}`
  return `${name}${optional ? '?' : ''}${list}${when}${about}`
}

const itemText = (param: InputParam) => `"${param.name}": ${kindOf(param)}`

function kindOf({ type, options, loadMethod }: InputParam): string {
  const offered = (options ?? []).filter((option) => !option.unsupported)
  if (offered.length > 0) return offered.map((option) => option.name).join(' | ')
  if (loadMethod === 'listTools') return 'a tool'
  if (loadMethod === 'listPreviousNodes') return 'the id of an earlier step'
  return ['boolean', 'number', 'code', 'json'].includes(type) ? type : 'text'
}
