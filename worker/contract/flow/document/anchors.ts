/** The typed ends of a node as Flowise's chat flows store them: inputs by class, and one or several outputs. */
import type { InputParam } from '../params/definition.ts'
import { isVisible, paramsOf } from '../params/params.ts'
import type { FlowNode, NodeData } from './document.ts'

/** One of the outputs of a node that offers several. */
interface OutputOption {
  id?: string
  name?: string
  label?: string
  type?: string
  description?: string
  /** Drawn beside the others: they are alternatives of a decision. */
  isAnchor?: boolean
  /** Offered only where it is chosen already. */
  hidden?: boolean
}

type Outputs = Pick<NodeData, 'outputs' | 'outputAnchors'>

/** Returns the outputs that a node with several offers; none for others. */
export function outputOptions({ outputAnchors }: Pick<NodeData, 'outputAnchors'>): OutputOption[] {
  const options = outputAnchors?.[0]?.options
  return Array.isArray(options) ? options.filter((option) => typeof option === 'object' && option !== null) : []
}

/** Returns the name of the output that is chosen of a node with several; empty for others. */
export function chosenOutput(data: Outputs): string {
  const [anchor] = data.outputAnchors ?? []
  const stored = data.outputs?.[String(anchor?.name ?? 'output')]
  const names = outputOptions(data).flatMap(({ name }) => name ?? [])
  if (names.length === 0) return typeof stored === 'string' ? stored : ''
  return (
    ([stored, anchor?.default].find((name) => names.includes(name as string)) as string | undefined) ?? names[0] ?? ''
  )
}

/** Returns the outputs to choose from where a node takes one of several; none for decisions, which show them all. */
export function outputChoices(data: Outputs): OutputOption[] {
  const options = outputOptions(data)
  if (options.length < 2 || options.some(({ isAnchor }) => isAnchor)) return []
  const chosen = chosenOutput(data)
  return options.filter(({ hidden, name }) => !hidden || name === chosen)
}

/** Returns the outputs from which edges may begin: the chosen one of several, or all of a decision. */
export function shownOutputs(data: Outputs): OutputOption[] {
  const options = outputOptions(data)
  if (options.length === 0) return (data.outputAnchors ?? []) as OutputOption[]
  const anchors = options.filter(({ isAnchor }) => isAnchor)
  if (anchors.length > 0) return anchors
  const chosen = chosenOutput(data)
  return options.filter(({ name }) => name === chosen)
}

/** Returns the visible inputs where edges may end: anchors, and the parameters whose text can hold a reference. */
export function linkableInputs(node: Pick<FlowNode, 'data'>): InputParam[] {
  const anchors = (node.data.inputAnchors ?? []) as unknown as InputParam[]
  const params = paramsOf(node)
  const scope = { params: [...params, ...anchors], inputs: node.data.inputs ?? {} }
  const texts = params.filter((param) => param.acceptVariable && !param.additionalParams)
  return [...anchors, ...texts].filter((input) => isVisible(input, scope))
}
