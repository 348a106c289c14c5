/** Serializes flows for storage and for export (spec section 5, compat 1.3, 1.6). */
import type { ComponentDefinition } from '../params/definition.ts'
import { componentsByName, paramsOf } from '../params/params.ts'
import type { FlowDocument, FlowNode, NodeData } from './document.ts'

/** The input with the id of the chosen credential, in the editor and in nested configurations. */
export const CREDENTIAL_ID = 'FLOWISE_CREDENTIAL_ID'

export const SECRET_TYPES = new Set(['password', 'file', 'folder'])
/**
 * Keys of node data that exports contain. All others, known or not, are editor state, traces of a run, or specific to
 * an installation.
 */
const NOT_EXPORTED = new Set([
  'credential',
  'icon',
  'filePath',
  'status',
  'error',
  'warning',
  'hint',
  'badge',
  'deprecateMessage',
  'documentation',
])

/** Returns the document to store: with the credential in its place, without selection and traces of a run. */
export function serializeFlow(flow: FlowDocument): FlowDocument {
  return { ...flow, nodes: flow.nodes.map(nodeForSave) }
}

/**
 * Returns the document to export: without viewport, credentials and the values of password, file and folder parameters,
 * including those in arrays and nested configurations. `components` (nodes, models, tools) declare the types of
 * configurations; without them, passwords in configurations would be exported.
 */
export function exportFlow(flow: FlowDocument, components: Iterable<ComponentDefinition>): FlowDocument {
  const { viewport: _viewport, ...rest } = flow
  const definitions = componentsByName(components)
  const anySecret = secretNames([...definitions.values()].flatMap((definition) => definition.inputs))
  return { ...rest, nodes: flow.nodes.map((node) => nodeForExport(node, { definitions, anySecret })) }
}

/**
 * Works as `exportFlow` does, for the settings of an assistant: leaves out credentials and all that is secret in some
 * component.
 */
export function exportSettings(settings: unknown, components: Iterable<ComponentDefinition>): unknown {
  const definitions = componentsByName(components)
  const anySecret = secretNames([...definitions.values()].flatMap((definition) => definition.inputs))
  return strip(settings, anySecret, { definitions, anySecret })
}

function nodeForSave(node: FlowNode): FlowNode {
  const { status: _status, error: _error, ...data } = node.data
  const { [CREDENTIAL_ID]: chosen, ...inputs } = data.inputs ?? {}
  return {
    ...node,
    ...(node.selected === undefined ? {} : { selected: false }),
    data: {
      ...data,
      ...(data.inputs ? { inputs } : {}),
      ...(typeof chosen === 'string' ? { credential: chosen } : {}),
      ...(data.selected === undefined ? {} : { selected: false }),
    } as NodeData,
  }
}

/** Flowise's files contain them as plain texts in Start nodes. */
const UNDECLARED_SECRETS = ['webhookSecret', 'callbackSecret']

const NONE: ReadonlySet<string> = new Set()

interface Stripping {
  definitions: ReadonlyMap<string, ComponentDefinition>
  /** Names that are secret in some component. They count inside unknown components. */
  anySecret: ReadonlySet<string>
}

function nodeForExport(node: FlowNode, stripping: Stripping): FlowNode {
  const declared = stripping.definitions.get(node.data.name)?.inputs ?? []
  const secret = new Set([...secretNames([...paramsOf(node), ...declared]), ...UNDECLARED_SECRETS])
  const data = Object.entries(node.data)
    .filter(([key]) => !NOT_EXPORTED.has(key))
    .map(([key, value]) => [key, strip(value, key === 'inputs' ? secret : NONE, stripping)])
  return unselected({ ...node, data: Object.fromEntries(data) as NodeData })
}

function unselected(node: FlowNode): FlowNode {
  const data = node.data.selected === undefined ? node.data : { ...node.data, selected: false }
  return { ...node, ...(node.selected === undefined ? {} : { selected: false }), data }
}

/** Returns the names of secret parameters, including those of array items. */
function secretNames(params: readonly { name: string; type: string; array?: unknown }[]): Set<string> {
  const names = new Set<string>()
  for (const param of params) {
    if (SECRET_TYPES.has(param.type)) names.add(param.name)
    if (Array.isArray(param.array)) for (const name of secretNames(param.array)) names.add(name)
  }
  return names
}

function strip(value: unknown, secret: ReadonlySet<string>, stripping: Stripping): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(item, secret, stripping))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, item]) => !secret.has(key) && !isCredential(key, item))
  return Object.fromEntries(
    entries.map(([key, item]) => [key, strip(item, secretsBelow(key, value, { secret, stripping }), stripping)]),
  )
}

/** `XConfig` contains the inputs of the component that `X` names. */
function secretsBelow(
  key: string,
  siblings: object,
  { secret, stripping }: { secret: ReadonlySet<string>; stripping: Stripping },
): ReadonlySet<string> {
  if (!key.endsWith('Config')) return secret
  const chosen = (siblings as Record<string, unknown>)[key.slice(0, -'Config'.length)]
  if (typeof chosen !== 'string') return secret
  const definition = stripping.definitions.get(chosen)
  return definition ? secretNames(definition.inputs) : stripping.anySecret
}

/** Old files have the id under `credential`. An empty one is left alone. */
function isCredential(key: string, value: unknown): boolean {
  return key === CREDENTIAL_ID || (key === 'credential' && typeof value === 'string' && value !== '')
}
