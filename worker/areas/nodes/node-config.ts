/** The inputs of a node that a caller could be allowed to override, in Flowise's shape. */
import type { OverridableInput } from '#contract/chatflows/chatflows.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'

interface ConfiguredNode {
  id: string
  label: string
  inputs: Record<string, unknown>
}

/** Leaves out credentials: callers cannot override secrets. */
export function overridableInputs(definition: ComponentDefinition, node: ConfiguredNode): OverridableInput[] {
  return definition.inputs.map((input) => ({
    node: node.label,
    nodeId: node.id,
    label: input.label,
    name: input.type === 'file' ? 'files' : input.name,
    type: optionsOf(input) ?? input.type,
    ...buildSchema(input, node.inputs),
  }))
}

const optionsOf = ({ type, options }: InputParam): string | undefined =>
  type === 'options' ? options?.map(({ name }) => name).join(', ') : undefined

function buildSchema({ name, array, loadConfig }: InputParam, inputs: Record<string, unknown>) {
  if (array) {
    const items = array.map((item) => [item.name, item.type === 'options' ? `(${optionsOf(item)})` : item.type])
    return { schema: Object.fromEntries(items) }
  }
  const config = loadConfig ? inputs[`${name}Config`] : undefined
  if (typeof config !== 'object' || config === null) return {}
  const entries = Object.entries(config).filter(([key]) => key !== name && key !== 'FLOWISE_CREDENTIAL_ID')
  return { schema: Object.fromEntries(entries.map(([key, value]) => [key, typeOf(value)])) }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return ['boolean', 'number', 'object'].includes(typeof value) ? typeof value : 'string'
}
