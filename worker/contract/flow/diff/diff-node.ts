/** Describes the changes of a node for a reviewer. */

import { canonicalJson, isRecord } from '../../data/json.ts'
import type { FlowNode, NodeData } from '../document/document.ts'
import { CREDENTIAL_ID } from '../document/serialize.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import type { BackEdge, FlowKind } from '../kinds/types.ts'
import { isBlank } from '../params/blank.ts'
import type { ComponentDefinition, InputParam } from '../params/definition.ts'
import { isDisabled } from '../params/disabled.ts'
import { paramsOf } from '../params/params.ts'
import { type RunPolicy, runPolicyOf } from '../params/run-policy.ts'

export interface Change {
  kind:
    | 'type'
    | 'version'
    | 'label'
    | 'input'
    | 'back edge'
    | 'credential'
    | 'disabled'
    | 'policy'
    | 'container'
    | 'position'
    | 'size'
  /** The input's name, the input and a setting of its component (`llmModel.temperature`), the label of a back edge, or the setting's name. */
  name: string
  /** For people: `Model: Temperature`. */
  label: string
  /** Undefined where nothing is set, and for secrets, whose values are never shown. */
  before?: unknown
  after?: unknown
  isSecret?: true
}

interface NodeVersion {
  node: FlowNode
  /** The node without its secrets. */
  shown: FlowNode
  /** The label of the node's container. */
  container: string
  /** Labels of all nodes of its flow, by id. */
  labels: ReadonlyMap<string, string>
}

type Definitions = ReadonlyMap<string, ComponentDefinition>

interface DiffContext {
  definitions: Definitions
  kind: FlowKind
}

/** Returns no changes when a person would see none: an empty and a missing input are equal. */
export function nodeChanges(before: NodeVersion, after: NodeVersion, { definitions, kind }: DiffContext): Change[] {
  const [from, to] = [before.node, after.node]
  return [
    ...differs('type', 'Type', [from.data.name, to.data.name]),
    ...differs('version', 'Version', [from.data.version, to.data.version]),
    ...differs('label', 'Name', [from.data.label, to.data.label]),
    ...inputChanges(before, after, { definitions, kind }),
    ...backEdgeChanges(before, after, kind),
    ...secretDiffers('credential', 'Credential', [credentialOf(from.data), credentialOf(to.data)]),
    ...differs('disabled', 'Disabled', [isDisabled(from.data), isDisabled(to.data)]),
    ...policyChanges(from.data, to.data),
    ...differs('container', 'Inside', [before.container || undefined, after.container || undefined]),
    ...differs('position', 'Position', [placeOf(from), placeOf(to)]),
    ...differs('size', 'Size', [sizeOf(from, kind), sizeOf(to, kind)]),
  ]
}

const POLICY_LABELS: Record<keyof RunPolicy, string> = {
  join: 'Starts when',
  timeoutSeconds: 'Time-out (seconds)',
  retries: 'Retries',
  retryWaitSeconds: 'Wait before a retry (seconds)',
  onError: 'When it fails',
}

type Pair = [before: unknown, after: unknown]

function differs(kind: Change['kind'], label: string, [before, after]: Pair, name: string = kind): Change[] {
  return same(before, after) ? [] : [{ kind, name, label, before, after }]
}

function secretDiffers(kind: Change['kind'], label: string, [before, after]: Pair, name: string = kind): Change[] {
  return same(before, after) ? [] : [{ kind, name, label, isSecret: true }]
}

function policyChanges(before: NodeData, after: NodeData): Change[] {
  const [from, to] = [runPolicyOf(before), runPolicyOf(after)]
  return (Object.keys(POLICY_LABELS) as (keyof RunPolicy)[]).flatMap((name) =>
    differs('policy', POLICY_LABELS[name], [from[name], to[name]], name),
  )
}

/** Names each way back that was added, removed or changed. One without a label is told as the input that holds it. */
function backEdgeChanges(before: NodeVersion, after: NodeVersion, kind: FlowKind): Change[] {
  const [old, now] = [labelledBackEdges(before, kind), labelledBackEdges(after, kind)]
  const labels = [...new Set([...now, ...old].map(({ label }) => label))]
  const changes = labels.flatMap((label): Change[] => {
    const [from, to] = [old, now].map((edges) => edges.find((edge) => edge.label === label))
    if (from?.target === to?.target && from?.condition === to?.condition) return []
    const shown: Pair = [from && shownEdge(from, before), to && shownEdge(to, after)]
    return differs('back edge', `Back edge “${label}”`, shown, label)
  })
  const orderOf = (edges: BackEdge[], others: BackEdge[]) =>
    edges.map(({ label }) => label).filter((label) => others.some((other) => other.label === label))
  return [...changes, ...differs('back edge', 'Order of back edges', [orderOf(old, now), orderOf(now, old)])]
}

const labelledBackEdges = ({ node }: NodeVersion, kind: FlowKind): BackEdge[] =>
  kind.backEdges(node).filter(({ label }) => label !== '')

/** Returns `Writer, when tries < 3`. */
function shownEdge({ target, condition }: BackEdge, { labels }: NodeVersion): string {
  const label = labels.get(target) ?? target
  return condition === undefined ? label : `${label}, when ${condition}`
}

function inputChanges(before: NodeVersion, after: NodeVersion, { definitions, kind }: DiffContext): Change[] {
  const told = new Set([before, after].flatMap((side) => labelledBackEdges(side, kind)).map(({ param }) => param))
  const params = new Map(
    [before.node, after.node].flatMap((node) => paramsAt(node, definitions)).map((param) => [param.name, param]),
  )
  return valueChanges(
    [before, after].map(({ node, shown }) => ({
      real: node.data.inputs ?? {},
      shown: shown.data.inputs ?? {},
    })) as [Values, Values],
    { path: '', prefix: '', params, definitions },
  ).filter(({ name }) => !told.has(name))
}

interface Values {
  real: Readonly<Record<string, unknown>>
  shown: Readonly<Record<string, unknown>>
}

interface ValuePlace {
  /** Prefix of names: `llmModel.`. */
  path: string
  /** Prefix of labels: `Model: `. */
  prefix: string
  params: ReadonlyMap<string, InputParam>
  definitions: Definitions
}

function valueChanges([before, after]: [Values, Values], place: ValuePlace): Change[] {
  const names = new Set([...Object.keys(after.real), ...Object.keys(before.real)])
  if (place.path === '') names.delete(CREDENTIAL_ID)
  return [...names].flatMap((name) => {
    const [from, to] = [before.real[name], after.real[name]]
    if (same(from, to)) return []
    const choice = choiceOf(name, place)
    if (choice && isRecord(from) && isRecord(to)) {
      const chosen = before.real[choice.name] === after.real[choice.name] ? after.real[choice.name] : undefined
      return valueChanges([valuesIn(before, name), valuesIn(after, name)], inside(place, choice, chosen))
    }
    const isCredential = name === CREDENTIAL_ID
    const label = place.prefix + (isCredential ? 'Credential' : labelOf(name, choice, place))
    const kind = isCredential ? 'credential' : 'input'
    const shown: Pair = [before.shown[name], after.shown[name]]
    const path = place.path + name
    return same(...shown) ? secretDiffers(kind, label, [from, to], path) : differs(kind, label, shown, path)
  })
}

/** Returns the parameter whose component has its settings in `<name>Config`. */
function choiceOf(name: string, { params }: ValuePlace): InputParam | undefined {
  const choice = name.endsWith('Config') ? params.get(name.slice(0, -'Config'.length)) : undefined
  return choice?.loadConfig ? choice : undefined
}

function inside({ path, prefix, definitions }: ValuePlace, choice: InputParam, chosen: unknown): ValuePlace {
  const params = typeof chosen === 'string' ? (definitions.get(chosen)?.inputs ?? []) : []
  return {
    path: `${path}${choice.name}.`,
    prefix: `${prefix}${choice.label}: `,
    params: new Map(params.map((param) => [param.name, param])),
    definitions,
  }
}

function valuesIn({ real, shown }: Values, name: string): Values {
  const value = shown[name]
  return { real: real[name] as Values['real'], shown: isRecord(value) ? value : {} }
}

function labelOf(name: string, choice: InputParam | undefined, { params }: ValuePlace): string {
  if (choice) return `${choice.label}: settings`
  return params.get(name)?.label || name
}

/** Returns the inputs as the node declares them, or as its component does now. */
function paramsAt(node: FlowNode, definitions: Definitions): InputParam[] {
  return [...(definitions.get(node.data.name)?.inputs ?? []), ...paramsOf(node)]
}

const credentialOf = ({ credential, inputs }: NodeData) => credential || inputs?.[CREDENTIAL_ID]

const placeOf = ({ position }: FlowNode) => ({ x: Math.round(position.x), y: Math.round(position.y) })

/** Returns undefined for nodes whose size follows from their content. */
function sizeOf({ data, width, height }: FlowNode, kind: FlowKind) {
  return isStickyNote(data) || kind.isContainer(data) ? { width, height } : undefined
}

function same(before: unknown, after: unknown): boolean {
  return (isBlank(before) && isBlank(after)) || canonicalJson(before) === canonicalJson(after)
}
