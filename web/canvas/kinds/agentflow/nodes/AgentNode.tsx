import { IconAlertTriangle } from '@tabler/icons-react'
import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { useSnapshot } from 'valtio'
import type { Mark } from '#contract/flow/diff/diff.ts'
import { hasErrorBranch } from '#contract/flow/document/handles.ts'
import { isErrorHandle } from '#contract/flow/params/run-policy.ts'
import { isSupported } from '#contract/flow/transfer/report.ts'
import { formatCount } from '#contract/format.ts'
import { formatDuration } from '../../../../ui/format.ts'
import { canConnect } from '../../../store/connecting.ts'
import { useCanvas } from '../../../store/context.ts'
import type { NodeRun } from '../../../store/run-state.ts'
import { hasOutputRows, nodeHandles, outputLabel, outputsOf } from '../../../surface/geometry.ts'
import type { ViewNode } from '../../../surface/to-xyflow.ts'
import { NodeIcon } from '../icons.tsx'
import { kindText, nodeSummary } from '../summary.ts'

/** A node of an agent flow: icon, label, kind, the inputs that matter; its status while a run goes. */
export const AgentNode = memo(function AgentNode({ id, data: { node } }: NodeProps<ViewNode>) {
  const canvas = useCanvas()
  const { connecting, problems } = useSnapshot(canvas.state)
  const run = useSnapshot(canvas.state.run).nodes[id]
  const known = canvas.definitions.has(node.data.name)
  const supported = isSupported(node, canvas.definitions)
  const problem = problems.byNode.get(id)
  const rows = hasOutputRows(node)
  const failure = hasErrorBranch(node)
  const summary = rows ? '' : nodeSummary(node, canvas.definitions)
  return (
    <div
      className="heddle-node"
      data-status={run?.status}
      data-refused={(connecting && !canConnect(canvas, connecting, id)) || undefined}
      data-problem={problem ? true : undefined}
      data-unsupported={supported ? undefined : true}
      data-mark={canvas.marks?.get(id)}
      title={problem}
    >
      <NodeHead
        node={node}
        kind={known ? kindText(node.data) : node.data.name}
        problem={problem}
        alone={!rows && !failure && summary === ''}
      />
      {rows ? (
        outputsOf(node).map((anchor, index) => (
          <div key={anchor.id} className="heddle-node-output">
            {outputLabel(node, index)}
          </div>
        ))
      ) : (
        <div className="heddle-node-summary">{summary}</div>
      )}
      {failure && <div className="heddle-node-output heddle-node-failure">On error</div>}
      {!supported && <div className="heddle-node-unsupported">Not supported: kept as it is</div>}
      <NodeHandles node={node} />
      {run && <RunMarks run={run} />}
      <CompareMark mark={canvas.marks?.get(id)} />
    </div>
  )
})

const markTexts: Record<Mark, string> = { added: 'Added', removed: 'Removed', changed: 'Changed' }

/** How the node differs from the other document, while two are compared. */
export const CompareMark = ({ mark }: { mark: Mark | undefined }) =>
  mark ? <div className="heddle-node-mark">{markTexts[mark]}</div> : null

interface NodeHeadProps {
  node: ViewNode['data']['node']
  kind: string
  problem: string | undefined
  /** Nothing stands below it. */
  alone?: boolean
}

export function NodeHead({ node, kind, problem, alone }: NodeHeadProps) {
  return (
    <div className="heddle-node-head" data-alone={alone || undefined}>
      <span className="heddle-node-icon" style={{ background: node.data.color }}>
        <NodeIcon name={node.data.name} />
      </span>
      <div className="heddle-node-names">
        <div className="heddle-node-label">{node.data.label}</div>
        <div className="heddle-node-kind">{kind}</div>
      </div>
      {problem && (
        <span className="heddle-node-problem">
          <IconAlertTriangle size={16} role="img" aria-label={`Needs attention: ${problem}`} />
        </span>
      )}
    </div>
  )
}

export function NodeHandles({ node }: { node: ViewNode['data']['node'] }) {
  return nodeHandles(node).map((handle) => (
    <Handle
      key={handle.id}
      id={handle.id}
      type={handle.type}
      className={isErrorHandle(handle.id) ? 'heddle-handle heddle-handle-failure' : 'heddle-handle'}
      position={handle.type === 'target' ? Position.Left : Position.Right}
      style={{ top: handle.y }}
      title={handle.label}
    />
  ))
}

export function RunMarks({ run }: { run: Readonly<NodeRun> }) {
  const marks = [
    said[run.status],
    run.rounds === undefined ? '' : `${run.rounds} rounds`,
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

const said: Partial<Record<NodeRun['status'], string>> = {
  INPROGRESS: 'Running…',
  STOPPED: 'Waits for an answer',
  TERMINATED: 'Stopped',
}

function itemsText(items: NodeRun['items']): string {
  if (!items) return ''
  if (items.all === undefined) return `item ${items.done}`
  return items.done === items.all ? `${items.all} items` : `${items.done} of ${items.all} items`
}
