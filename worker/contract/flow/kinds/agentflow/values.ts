/** Values of an agent flow for references: the declarations of its Start node, and the outputs of its nodes. */
import type { FlowDocument, FlowNode, NodeData } from '../../document/document.ts'
import type { DeclaredValues } from '../types.ts'
import { HUMAN_INPUT, ITERATION, startNodes } from './nodes.ts'

export function declaredValues(flow: Pick<FlowDocument, 'nodes'>): DeclaredValues {
  const start = startNodes(flow)[0]
  return {
    state: itemTexts(start?.data.inputs?.startState, 'key'),
    form: formNames(start),
    webhook: webhookPaths(start),
  }
}

export function describeOutput(data: NodeData): { description: string; keys: string[] } {
  const description = data.name === HUMAN_INPUT ? `What a person answered to ${data.label}` : `Output of ${data.label}`
  const structured = Object.keys(data.inputs ?? {}).find((name) => name.endsWith('StructuredOutput'))
  const keys = structured ? itemTexts(data.inputs?.[structured], 'key') : []
  return { description, keys: data.name === ITERATION ? [...keys, 'iterationResults'] : keys }
}

/** Returns the names of the start form's fields; none unless a form starts the flow. */
function formNames(start: FlowNode | undefined): string[] {
  const inputs = start?.data.inputs ?? {}
  if (inputs.startInputType === 'formInput') return itemTexts(inputs.formInputTypes, 'name')
  const hasScheduledForm = inputs.startInputType === 'scheduleInput' && inputs.scheduleInputMode === 'form'
  return hasScheduledForm ? itemTexts(inputs.scheduleFormInputTypes, 'name') : []
}

function webhookPaths(start: FlowNode | undefined): string[] {
  const inputs = start?.data.inputs ?? {}
  if (inputs.startInputType !== 'webhookTrigger') return []
  return [
    ...itemTexts(inputs.webhookQueryParams, 'name').map((name) => `query.${name}`),
    ...itemTexts(inputs.webhookBodyParams, 'name').map((name) => `body.${name}`),
    ...itemTexts(inputs.webhookHeaderParams, 'name').map((name) => `headers.${name.toLowerCase()}`),
  ]
}

/** Returns the non-empty texts under `key` in the items of an array input. */
function itemTexts(items: unknown, key: string): string[] {
  if (!Array.isArray(items)) return []
  const texts = items.map((item) => (item as Record<string, unknown> | null)?.[key])
  return texts.filter((text): text is string => typeof text === 'string' && text !== '')
}
