/** The credentials that a flow from elsewhere, such as a template, needs before it runs as drawn. */
import type { FlowDocument, FlowNode } from '../document/document.ts'
import { CREDENTIAL_ID } from '../document/serialize.ts'
import { isBlank } from '../params/blank.ts'
import { MODEL_CATEGORY } from '../params/categories.ts'
import type { ComponentDefinition, InputParam } from '../params/definition.ts'
import { componentsByName, type Inputs, visibleParams } from '../params/params.ts'
import { withPracticeModel } from '../practice-model.ts'

export interface CredentialNeed {
  nodeId: string
  /** `Writer: OpenAI` */
  label: string
  /** Types of credentials that fit. */
  credentialNames: readonly string[]
  /** Where its id goes in the node's data. */
  path: readonly (string | number)[]
  /** True where the practice model can stand in. */
  isModel: boolean
}

export function credentialNeeds(flow: FlowDocument, components: Iterable<ComponentDefinition>): CredentialNeed[] {
  const definitions = componentsByName(components)
  return flow.nodes.flatMap((node) => {
    const definition = definitions.get(node.data.name)
    if (!definition) return []
    const of = { node, definitions }
    const own = needOf(definition, { of, path: ['credential'], given: node.data.credential, label: node.data.label })
    return [...own, ...needsIn(definition.inputs, { of, inputs: node.data.inputs ?? {}, path: ['inputs'] })]
  })
}

/** Returns the flow with the chosen ids, by the index of their need. A model without one becomes the practice model. */
export function withCredentials(
  flow: FlowDocument,
  needs: readonly CredentialNeed[],
  chosen: readonly (string | undefined)[],
): FlowDocument {
  const nodes = flow.nodes.map((node) => {
    const own = needs.flatMap((need, index) => (need.nodeId === node.id ? [{ need, id: chosen[index] }] : []))
    if (own.length === 0) return node
    const data = structuredClone(node.data)
    for (const { need, id } of own) settle(data, need, id)
    return { ...node, data }
  })
  return { ...flow, nodes }
}

function settle(data: FlowNode['data'], { path, isModel }: CredentialNeed, id: string | undefined): void {
  const [key = '', ...owners] = path.toReversed()
  const at = (keys: readonly (string | number)[]) =>
    keys.reduce<Record<string | number, unknown>>((owner, name) => {
      owner[name] ??= {}
      return owner[name] as Record<string | number, unknown>
    }, data)
  if (id) at(owners.toReversed())[key] = id
  else if (isModel) {
    const [config = ''] = owners
    Object.assign(at(owners.slice(1).toReversed()), withPracticeModel(String(config).replace(/Config$/, '')))
  }
}

interface NodeLookup {
  node: FlowNode
  definitions: ReadonlyMap<string, ComponentDefinition>
}

interface InputsPlace {
  of: NodeLookup
  inputs: Inputs
  path: readonly (string | number)[]
}

function needsIn(params: readonly InputParam[], { of, inputs, path }: InputsPlace): CredentialNeed[] {
  const shown = visibleParams(params, inputs)
  const inItems = shown.flatMap(({ name, array }) => {
    const items: unknown = inputs[name]
    if (!array || !Array.isArray(items)) return []
    return items.flatMap((item: unknown, index) => {
      if (typeof item !== 'object' || item === null) return []
      const fields = visibleParams(params, inputs, { array: name, index })
      return chosenNeeds(fields, { of, inputs: item as Inputs, path: [...path, name, index] })
    })
  })
  return [...chosenNeeds(shown, { of, inputs, path }), ...inItems]
}

/** Returns the needs of the components that these inputs choose. */
function chosenNeeds(params: readonly InputParam[], { of, inputs, path }: InputsPlace): CredentialNeed[] {
  return params.flatMap(({ name, loadConfig }) => {
    const chosen = loadConfig ? of.definitions.get(String(inputs[name])) : undefined
    if (!chosen) return []
    const key = `${name}Config`
    const config = (inputs[key] || {}) as Inputs
    const label = `${of.node.data.label}: ${chosen.label}`
    const given = config[CREDENTIAL_ID] || config.credential
    const own = needOf(chosen, { of, path: [...path, key, CREDENTIAL_ID], given, label })
    return [...own, ...needsIn(chosen.inputs, { of, inputs: config, path: [...path, key] })]
  })
}

interface CredentialInput {
  of: NodeLookup
  path: readonly (string | number)[]
  given: unknown
  label: string
}

function needOf(
  { credential, category }: ComponentDefinition,
  { of, path, given, label }: CredentialInput,
): CredentialNeed[] {
  if (!credential || credential.optional || !isBlank(given)) return []
  const isModel = category === MODEL_CATEGORY
  return [{ nodeId: of.node.id, label, credentialNames: credential.credentialNames ?? [], path, isModel }]
}
