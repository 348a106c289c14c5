import { type NodeProps, NodeResizer } from '@xyflow/react'
import { memo } from 'react'
import { setInputs } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import { endGesture } from '../store/store.ts'
import { CompareMark, looksSame } from './NodeParts.tsx'
import type { ViewNode } from './to-xyflow.ts'

/** A comment on the canvas. It does not run. */
export const StickyNote = memo(function StickyNote({ id, selected, data: { node } }: NodeProps<ViewNode>) {
  const canvas = useCanvas()
  const note = node.data.inputs?.note
  return (
    <div className="heddle-note" data-mark={canvas.marks?.get(id)}>
      <NodeResizer isVisible={selected} minWidth={120} minHeight={60} handleStyle={{ width: 10, height: 10 }} />
      <textarea
        className={selected ? 'nodrag nowheel' : ''}
        aria-label={node.data.label || 'Note'}
        placeholder="Write a note"
        value={typeof note === 'string' ? note : ''}
        onChange={(event) => setInputs(canvas, id, { patch: { note: event.target.value } })}
        readOnly={canvas.marks !== null}
        onBlur={() => endGesture(canvas)}
      />
      <CompareMark mark={canvas.marks?.get(id)} />
    </div>
  )
}, looksSame)
