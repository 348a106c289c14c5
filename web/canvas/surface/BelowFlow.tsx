import { Box } from '@chakra-ui/react'
import { useViewport } from '@xyflow/react'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { boundsOf, byId, nodeBox } from '../geometry/boxes.ts'
import { useCanvas } from '../store/context.ts'

const GAP = 28

/** Stands below the nodes of a small flow, wherever the view shows them. */
export function BelowFlow({ children }: { children: ReactNode }) {
  const { flow } = useSnapshot(useCanvas().state)
  const { x, y, zoom } = useViewport()
  const nodes = byId(flow.nodes)
  const bounds = boundsOf(flow.nodes.map((node) => nodeBox(node, nodes))) ?? { x: 0, y: 0, width: 0, height: 0 }
  const left = Math.max(16, bounds.x * zoom + x)
  const top = Math.max(16, (bounds.y + bounds.height) * zoom + y + GAP)
  return (
    <Box
      position="absolute"
      style={{ left, top }}
      width={`min(320px, calc(100% - ${Math.round(left) + 16}px))`}
      pointerEvents="none"
    >
      {children}
    </Box>
  )
}
