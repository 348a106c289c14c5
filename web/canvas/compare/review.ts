/** The difference of two documents for review. Nodes that only moved are counted, not listed. */
import type { Change, FlowDiff, Mark } from '#contract/flow/diff/diff.ts'
import { plainText } from '#contract/flow/params/rich-text.ts'
import { errorTexts, joinTexts } from '../panels/policy-texts.ts'
import type { Marks } from '../store/store.ts'

export interface Difference {
  /** The node's or edge's id, the key of its mark. */
  id: string
  /** The node to look at. */
  nodeId: string
  isEdge: boolean
  mark: Mark
  label: string
  details: Detail[]
}

export interface Detail {
  label: string
  /** Undefined for secrets. */
  sides?: { before: string; after: string }
}

export interface Review {
  differences: Difference[]
  marks: Marks
  /** The number of nodes that were only moved or resized. */
  moved: number
}

export function groupChanges({ nodes, edges }: FlowDiff): Review {
  const isMove = ({ kind }: Change) => kind === 'position' || kind === 'size'
  const [moved, told] = [nodes.filter(onlyMoved), nodes.filter((node) => !onlyMoved(node))]
  const differences = [
    ...told.map(({ nodeId, label, mark, changes }): Difference => {
      const details = changes.filter((change) => !isMove(change)).map(detailOf)
      return { id: nodeId, nodeId, isEdge: false, mark, label, details }
    }),
    ...edges.map(({ edgeId, source, label, mark }): Difference => {
      return { id: edgeId, nodeId: source, isEdge: true, mark, label, details: [] }
    }),
  ]
  return { differences, marks: new Map(differences.map(({ id, mark }) => [id, mark])), moved: moved.length }

  function onlyMoved({ mark, changes }: FlowDiff['nodes'][number]): boolean {
    return mark === 'changed' && changes.every(isMove)
  }
}

function detailOf({ kind, label, before, after, isSecret }: Change): Detail {
  if (isSecret) return { label }
  const text = kind === 'policy' ? policyText : displayText
  return { label, sides: { before: text(before), after: text(after) } }
}

const policyTexts: Readonly<Record<string, string>> = { ...joinTexts, ...errorTexts }

const policyText = (value: unknown): string => policyTexts[String(value)] ?? displayText(value)

function displayText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? plainText(value) : JSON.stringify(value, null, 2)
}
