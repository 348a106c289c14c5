import { Flex, IconButton } from '@chakra-ui/react'
import {
  IconGridDots,
  IconLayoutDistributeVertical,
  IconMap,
  IconMaximize,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { Panel } from '@xyflow/react'
import type { ReactNode } from 'react'

interface ToolbarProps {
  snap: boolean
  /** Undefined on phones. */
  miniMap: boolean | undefined
  onSnap: () => void
  onMiniMap: () => void
  onFit: () => void
  onLayOut: () => void
  onZoom: (by: 1 | -1) => void
}

/** View controls in the corner of the drawing surface. */
export function Toolbar({ snap, miniMap, onSnap, onMiniMap, onFit, onLayOut, onZoom }: ToolbarProps) {
  return (
    <Panel position="bottom-left">
      <Flex role="toolbar" aria-label="View" bg="bg.panel" borderWidth="1px" rounded="xl" p="1" gap="0.5" shadow="sm">
        <Tool label="Zoom out" onClick={() => onZoom(-1)} icon={<IconZoomOut size={16} />} />
        <Tool label="Zoom in" onClick={() => onZoom(1)} icon={<IconZoomIn size={16} />} />
        <Tool label="Fit to view" onClick={onFit} icon={<IconMaximize size={16} />} />
        <Tool label="Auto-layout" onClick={onLayOut} icon={<IconLayoutDistributeVertical size={16} />} />
        <Tool label="Snap to grid" pressed={snap} onClick={onSnap} icon={<IconGridDots size={16} />} />
        {miniMap !== undefined && (
          <Tool label="Mini-map" pressed={miniMap} onClick={onMiniMap} icon={<IconMap size={16} />} />
        )}
      </Flex>
    </Panel>
  )
}

function Tool({
  label,
  icon,
  onClick,
  pressed,
}: {
  label: string
  icon: ReactNode
  onClick: () => void
  pressed?: boolean
}) {
  return (
    <IconButton
      size="xs"
      variant={pressed ? 'subtle' : 'ghost'}
      colorPalette={pressed ? 'accent' : 'gray'}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {icon}
    </IconButton>
  )
}
