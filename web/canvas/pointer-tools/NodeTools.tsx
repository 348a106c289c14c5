import { IconButton } from '@chakra-ui/react'
import { IconDots } from '@tabler/icons-react'
import { NodeToolbar, Position } from '@xyflow/react'
import { useSnapshot } from 'valtio'
import { openSelectionMenu } from '../interactions/menus.ts'
import { useCanvas } from '../store/context.ts'
import { useCanvasValue } from '../store/hooks.ts'
import { useRuns } from '../store/run-actions.ts'
import { mainActions } from './selection-actions.ts'

/** A small toolbar above the selected nodes. */
export function NodeTools() {
  const canvas = useCanvas()
  const runs = useRuns()
  const { selection, connecting } = useSnapshot(canvas.state)
  // Follows what the actions depend on.
  useCanvasValue(canvas, ({ flow, run }) => `${run.trace.length} ${disabledOf(flow.nodes, selection.nodes)}`)
  // A box takes the connections between its nodes along.
  if (selection.nodes.length === 0 || connecting) return null
  return (
    <NodeToolbar nodeId={[...selection.nodes]} isVisible position={Position.Top} align="end" offset={26}>
      <div className="heddle-node-tools" role="toolbar" aria-label="Selection">
        {mainActions(canvas, runs).map(({ label, icon: ActionIcon, run }) => (
          <IconButton
            key={label}
            size="2xs"
            variant="ghost"
            minWidth="7"
            height="7"
            aria-label={label}
            title={label}
            onClick={() => run({ x: 0, y: 0 })}
          >
            <ActionIcon size={15} aria-hidden />
          </IconButton>
        ))}
        <IconButton
          size="2xs"
          variant="ghost"
          minWidth="7"
          height="7"
          aria-label="More actions"
          title="More actions"
          aria-haspopup="menu"
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect()
            openSelectionMenu(canvas, { nodes: [...selection.nodes] }, { x: left, y: bottom + 4 })
          }}
        >
          <IconDots size={15} aria-hidden />
        </IconButton>
      </div>
    </NodeToolbar>
  )
}

const disabledOf = (nodes: readonly { id: string; data: { disabled?: unknown } }[], ids: readonly string[]): number =>
  nodes.filter(({ id, data }) => ids.includes(id) && data.disabled === true).length
