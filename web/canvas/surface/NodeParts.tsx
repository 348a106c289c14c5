/** The parts that nodes of every kind are made of. */
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import { Handle, type NodeProps, Position } from '@xyflow/react'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { formatCount } from '#contract/data/format.ts'
import type { Mark } from '#contract/flow/diff/diff.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { isErrorHandle } from '#contract/flow/params/run-policy.ts'
import { namedText } from '#contract/flow/references/reference-names.ts'
import { isSupported } from '#contract/flow/transfer/report.ts'
import { formatDuration } from '../../ui/format.ts'
import { type HandlePlace, nodeHandles } from '../geometry/handles.ts'
import { canConnect, canEndAt } from '../store/connecting.ts'
import { useCanvas } from '../store/context.ts'
import type { NodeRun } from '../store/run-state.ts'
import { nodeNames } from './node-labels.ts'
import type { ViewNode } from './to-xyflow.ts'

/** Compares for `memo`: a node that only moved looks the same. xyflow moves the element around it. */
export function looksSame(before: NodeProps<ViewNode>, after: NodeProps<ViewNode>): boolean {
  const [a, b] = [before.data.node, after.data.node]
  return (
    before.id === after.id &&
    before.selected === after.selected &&
    a.data === b.data &&
    a.type === b.type &&
    a.width === b.width &&
    a.height === b.height
  )
}

const markTexts: Record<Mark, string> = { added: 'Added', removed: 'Removed', changed: 'Changed' }

/** Says how the node differs from the document it is compared with. */
export const CompareMark = ({ mark }: { mark: Mark | undefined }) =>
  mark ? <div className="heddle-node-mark">{markTexts[mark]}</div> : null

interface NodeHeadProps {
  node: FlowNode
  typeText: string
  problem: string | undefined
  /** True when nothing is below it. */
  alone?: boolean
}

/** Icon, label, type and the warning sign. */
export function NodeHead({ node, typeText, problem, alone }: NodeHeadProps) {
  const canvas = useCanvas()
  const { NodeIcon } = canvas.kind
  const Sign = canvas.state.problems.failing.has(node.id) ? IconAlertCircle : IconAlertTriangle
  return (
    <div className="heddle-node-head" data-alone={alone || undefined}>
      <span className="heddle-node-icon" style={{ background: node.data.color }}>
        <NodeIcon name={node.data.name} />
      </span>
      <div className="heddle-node-names">
        <div className="heddle-node-label">{node.data.label}</div>
        <div className="heddle-node-kind">{typeText}</div>
      </div>
      {problem && (
        <span className="heddle-node-problem">
          <Sign size={16} role="img" aria-label={`Needs attention: ${problem}`} />
        </span>
      )}
    </div>
  )
}

/** The box of a node with its state; its handles and its last run are drawn over it. */
export function NodeBox({ node, children }: { node: FlowNode; children: ReactNode }) {
  const canvas = useCanvas()
  const { id } = node
  const { connecting, problems } = useSnapshot(canvas.state)
  const run = useSnapshot(canvas.state.run).nodes[id]
  const supported = isSupported(node, canvas.definitions)
  const problem = problems.byNode.get(id)
  return (
    <div
      className="heddle-node"
      data-status={run?.status}
      data-refused={(connecting && !canConnect(canvas, connecting, id)) || undefined}
      data-problem={problem && (problems.failing.has(id) ? 'error' : 'warning')}
      data-unsupported={supported ? undefined : true}
      data-mark={canvas.marks?.get(id)}
      title={problem}
    >
      {children}
      {!supported && <div className="heddle-node-unsupported">Not supported. Kept unchanged.</div>}
      <NodeHandles node={node} />
      {run && <RunBadge run={run} />}
      <CompareMark mark={canvas.marks?.get(id)} />
    </div>
  )
}

/** A handle for each port of the node's kind, and for its error output. Those that a drawn line fits stand out. */
export function NodeHandles({ node }: { node: FlowNode }) {
  const canvas = useCanvas()
  const { kind, state } = canvas
  const { connecting } = useSnapshot(state)
  const handles = nodeHandles(node, kind)
  const fits = ({ id, type }: HandlePlace): boolean | undefined =>
    connecting && connecting.nodeId !== node.id && connecting.type !== type
      ? canEndAt(canvas, connecting, { nodeId: node.id, handleId: id })
      : undefined
  return handles.map((handle) => (
    <Handle
      key={handle.id}
      id={handle.id}
      type={handle.type}
      className={isErrorHandle(handle.id) ? 'heddle-handle heddle-handle-failure' : 'heddle-handle'}
      position={handle.type === 'target' ? Position.Left : Position.Right}
      style={{ top: handle.y }}
      data-fits={handles.length > 2 ? fits(handle) : undefined}
      title={namedText(handle.label, nodeNames(state.flow))}
    />
  ))
}

/** Status, duration and tokens of the node in the last run. */
export function RunBadge({ run }: { run: Readonly<NodeRun> }) {
  const marks = [
    STATUS_TEXTS[run.status],
    run.rounds === undefined ? '' : `${run.rounds} passes`,
    itemsText(run.items),
    run.time === undefined ? '' : formatDuration(run.time),
    run.tokens === undefined ? '' : `${formatCount(run.tokens)} tokens`,
  ].filter(Boolean)
  return (
    <>
      {marks.length > 0 && <div className="heddle-node-badge">{marks.join(' · ')}</div>}
      {run.error && <div className="heddle-node-error">{run.error}</div>}
    </>
  )
}

const STATUS_TEXTS: Partial<Record<NodeRun['status'], string>> = {
  INPROGRESS: 'Running…',
  STOPPED: 'Waiting for approval',
  TERMINATED: 'Stopped',
}

function itemsText(items: NodeRun['items']): string {
  if (!items) return ''
  if (items.all === undefined) return `item ${items.done}`
  return items.done === items.all ? `${items.all} items` : `${items.done} of ${items.all} items`
}
