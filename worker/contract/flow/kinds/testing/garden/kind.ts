/**
 * A made-up kind of flow, unlike any of the product: typed ports with ids of their own, several inputs and outputs for
 * each node, and no Start node. Tests hold what is generic against it.
 */
import type { FlowEdge, FlowNode } from '../../../document/document.ts'
import { aboutNode, error, type Problem, warning } from '../../../rules/problem.ts'
import { allowed, refused } from '../../../rules/verdict.ts'
import type { BackEdge, CheckedFlowKind, Port, Ports } from '../../types.ts'
import { GARDEN, well } from './components.ts'
import { gardenFacts } from './facts.ts'

const MAX_WELLS = 2
const WAYS = 'ways'

type Way = Omit<BackEdge, 'param'>

export const garden: CheckedFlowKind = {
  ...gardenFacts,

  ownsNode: ({ category }) => category === GARDEN,
  palette: {
    headings: ['Plants'],
    headingOf: ({ category }) => (category === GARDEN ? 'Plants' : undefined),
  },
  firstNodes: [{ name: well.name }],
  checkPlacement: ({ nodes }, { name }) => {
    const wells = nodes.filter(({ data }) => data.name === well.name).length
    return name === well.name && wells >= MAX_WELLS ? refused(`A garden has at most ${MAX_WELLS} wells.`) : allowed
  },

  frame: () => ({ type: 'plant', width: 120 }),
  newLabel: ({ label }, nodeId) => `${label} ${nodeId}`,
  copyLabel: ({ label }) => `Cutting of ${label}`,
  outputAnchors: ({ outputs = [] }, nodeId) =>
    outputs.map(({ name, label, baseClasses }) => ({
      id: `${nodeId}>${name}`,
      name,
      label,
      type: baseClasses?.join('|'),
    })),
  anchorsFromInputs: () => undefined,
  initialOutputs: () => ({}),

  ports,
  handleKey: (handleId) => handleId,
  checkEnds: () => allowed,
  checkConnection: () => allowed,
  cycleAdvice: 'Water flows down',
  outputIndex: (source, { sourceHandle }) => {
    const index = ports(source).outputs.findIndex(({ id }) => id === sourceHandle)
    return index < 0 ? undefined : index
  },
  edgeShape: () => ({ type: 'hose' }),
  linkInput: (target, edge) => {
    const name = inputName(edge)
    const present = target.data.inputs?.[name]
    const isMany = ports(target).inputs.find(({ id }) => id === edge.targetHandle)?.many
    return withInput(target, name, isMany ? [...asList(present), reference(edge)] : reference(edge))
  },
  unlinkInput: (target, edge) => {
    const present = target.data.inputs?.[inputName(edge)]
    const left = Array.isArray(present) ? present.filter((item) => item !== reference(edge)) : ''
    return withInput(target, inputName(edge), left)
  },

  isContainer: () => false,
  containerNoun: 'fence',
  backEdges: ({ data }) => asList(data.inputs?.[WAYS]).map((way) => ({ ...(way as Way), param: WAYS })),
  withBackEdges: (node, edges) =>
    withInput(
      node,
      WAYS,
      edges.map(({ param: _, ...way }) => way),
    ),
  newBackEdge: ({ source, target }) => ({
    target: target.id,
    label: `way ${asList(source.data.inputs?.[WAYS]).length + 1}`,
    param: WAYS,
  }),

  structureProblems: ({ nodes, incoming }) =>
    [...nodes.values()].flatMap((node) => {
      const linked = new Set((incoming.get(node.id) ?? []).map(({ targetHandle }) => targetHandle))
      const dry = ports(node).inputs.filter(({ id, many }) => !many && !linked.has(id))
      return aboutNode(
        node,
        dry.map(({ label }) => error(`${label} is missing. Connect it`)),
      )
    }),
  inputProblems: ({ data }) => (data.inputs?.seeds === 'stones' ? [warning('Stones do not grow')] : []),
  checksInput: () => false,
  flowProblems: (flow, { outgoing }): Problem[] =>
    flow.nodes
      .filter(({ id, data }) => data.name === well.name && !outgoing.has(id))
      .flatMap((node) => aboutNode(node, [warning('Nothing is watered from here')])),

  startNode: () => undefined,
  declaredValues: () => ({ state: ['season'], form: [], webhook: [] }),
  outputReference: (nodeId) => nodeId,
  describeOutput: ({ label, outputAnchors = [] }) => ({
    description: `What ${label} gives`,
    keys: outputAnchors.map(({ name }) => String(name)),
  }),
}

function ports({ id, data }: Pick<FlowNode, 'id' | 'data'>): Ports {
  const inputs = (data.inputAnchors ?? []).map(
    ({ name, label, type, list }): Port => ({
      id: `${id}<${name}`,
      label: String(label),
      types: [String(type)],
      many: list === true,
    }),
  )
  const outputs = (data.outputAnchors ?? []).map(
    ({ id: handle = '', label, type }): Port => ({
      id: handle,
      label: String(label),
      types: type?.split('|') ?? [],
      many: true,
    }),
  )
  return { inputs, outputs }
}

const inputName = ({ target, targetHandle }: FlowEdge) => (targetHandle ?? '').slice(target.length + 1)

/** The output as the target reads it in a run: `{{well_0.output.water}}`. */
const reference = ({ source, sourceHandle }: FlowEdge) =>
  `{{${source}.output.${(sourceHandle ?? '').slice(source.length + 1)}}}`

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function withInput(node: FlowNode, name: string, value: unknown): FlowNode {
  return { ...node, data: { ...node.data, inputs: { ...node.data.inputs, [name]: value } } }
}
