import { type NodeProps, NodeResizer } from '@xyflow/react'
import { memo } from 'react'
import { useSnapshot } from 'valtio'
import { hasErrorBranch } from '#contract/flow/document/handles.ts'
import { canResize } from '../../../geometry/containers.ts'
import { MIN_CONTAINER } from '../../../geometry/node-size.ts'
import { canConnect } from '../../../store/connecting.ts'
import { useCanvas } from '../../../store/context.ts'
import { useCanvasValue } from '../../../store/hooks.ts'
import { endGesture } from '../../../store/store.ts'
import { CompareMark, looksSame, NodeHandles, NodeHead, RunBadge } from '../../../surface/NodeParts.tsx'
import { typeLabel } from '../../../surface/node-labels.ts'
import type { ViewNode } from '../../../surface/to-xyflow.ts'

/** A container: the nodes inside it run once for each item. */
export const IterationNode = memo(function IterationNode({ id, selected, data: { node } }: NodeProps<ViewNode>) {
  const canvas = useCanvas()
  const { connecting, drop, problems } = useSnapshot(canvas.state)
  const run = useSnapshot(canvas.state.run).nodes[id]
  const inside = useCanvasValue(canvas, ({ flow }) => flow.nodes.filter((child) => child.parentNode === id).length)
  const problem = problems.byNode.get(id)
  const dropped = drop?.containerId === id ? drop.verdict : undefined
  return (
    <div
      className="heddle-node heddle-container"
      data-status={run?.status}
      data-refused={(connecting && !canConnect(canvas, connecting, id)) || undefined}
      data-problem={problem && (problems.failing.has(id) ? 'error' : 'warning')}
      data-mark={canvas.marks?.get(id)}
      data-drop={dropped && (dropped.ok ? 'taken' : 'refused')}
      title={problem}
    >
      <NodeResizer
        isVisible={selected}
        minWidth={MIN_CONTAINER.width}
        minHeight={MIN_CONTAINER.height}
        handleClassName="heddle-resize"
        shouldResize={(_, box) => canResize(canvas.state.flow, id, box)}
        onResizeStart={() => endGesture(canvas)}
        onResizeEnd={() => endGesture(canvas)}
      />
      <NodeHead node={node} typeText={`${typeLabel(node.data)} · ${childCount(inside)}`} problem={problem} />
      {inside === 0 && <div className="heddle-container-empty">Drop nodes here</div>}
      {dropped && !dropped.ok && <div className="heddle-container-refused">{dropped.reason}</div>}
      {hasErrorBranch(node) && <div className="heddle-node-output heddle-node-failure">On error</div>}
      <NodeHandles node={node} />
      {run && <RunBadge run={run} />}
      <CompareMark mark={canvas.marks?.get(id)} />
    </div>
  )
}, looksSame)

const childCount = (inside: number) => (inside === 1 ? '1 node inside' : `${inside} nodes inside`)
