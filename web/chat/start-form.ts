/** The input form of a flow's Start node. Pure. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'

export interface FormField {
  type: 'string' | 'number' | 'boolean' | 'options'
  label: string
  name: string
  options: string[]
}

export interface ChatForm {
  title: string
  description: string
  fields: FormField[]
}

const types: readonly string[] = ['string', 'number', 'boolean', 'options']

/** Returns the Start node's form; undefined when the flow starts with a question. */
export function startForm(flow: FlowDocument, kind: Pick<FlowKind, 'startNode'>): ChatForm | undefined {
  return readForm(kind.startNode(flow)?.data.inputs)
}

/** Returns the form of a Start node with these inputs. */
export function readForm(inputs: Record<string, unknown> | undefined): ChatForm | undefined {
  if (inputs?.startInputType !== 'formInput') return undefined
  return {
    title: text(inputs.formTitle),
    description: text(inputs.formDescription),
    fields: list(inputs.formInputTypes)
      .map(readField)
      .filter((field) => field.name !== ''),
  }
}

function readField(item: Record<string, unknown>): FormField {
  const name = text(item.name)
  return {
    type: types.includes(text(item.type)) ? (item.type as FormField['type']) : 'string',
    label: text(item.label) || name,
    name,
    options: list(item.addOptions).map((option) => text(option.option)),
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const list = (value: unknown) => (Array.isArray(value) ? (value as Record<string, unknown>[]) : [])
