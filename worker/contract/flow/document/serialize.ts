/** What of a flow is stored, and what leaves the house as a file (spec section 5, compat 1.3, 1.6). */
import type { ComponentDefinition } from '../params/definition.ts'
import { componentsByName, paramsOf } from '../params/params.ts'
import type { FlowDocument, FlowNode, NodeData } from './document.ts'

/** Where the editor and nested configurations keep the id of the chosen credential. */
export const CREDENTIAL_ID = 'FLOWISE_CREDENTIAL_ID'

export const SECRET_TYPES = new Set(['password', 'file', 'folder'])
/** What a node shows on the canvas, or kept of a run and of its installation; the rest leaves, known here or not. */
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

/** The document to store: the chosen credential in its place, nothing selected, no traces of a run. */
export function serializeFlow(flow: FlowDocument): FlowDocument {
  return { ...flow, nodes: flow.nodes.map(nodeForSave) }
}

/**
 * The document to hand out: without viewport, credentials and the values of password, file and folder parameters,
 * in arrays and nested configurations too. `components` (nodes, models, tools) tell the types of what a configuration
 * holds; without them a password in it would go out.
 */
export function exportFlow(flow: FlowDocument, components: Iterable<ComponentDefinition>): FlowDocument {
  const { viewport: _viewport, ...rest } = flow
  const definitions = componentsByName(components)
  const anySecret = secretNames([...definitions.values()].flatMap((definition) => definition.inputs))
  return { ...rest, nodes: flow.nodes.map((node) => nodeForExport(node, { definitions, anySecret })) }
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

/** Files of Flowise have them in their Start nodes as plain texts. */
const UNDECLARED_SECRETS = ['webhookSecret', 'callbackSecret']

const NONE: ReadonlySet<string> = new Set()

interface Stripping {
  definitions: ReadonlyMap<string, ComponentDefinition>
  /** Names that are secret in some component: what counts inside a component that is not known. */
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

/** Names of secret parameters, those of array items included. */
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

/** `XConfig` holds the inputs of the component that `X` beside it names. */
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

/** Old files keep the id under `credential`; left empty it says nothing and stays. */
function isCredential(key: string, value: unknown): boolean {
  return key === CREDENTIAL_ID || (key === 'credential' && typeof value === 'string' && value !== '')
}
