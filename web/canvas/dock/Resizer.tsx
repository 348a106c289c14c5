import { Box } from '@chakra-ui/react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { type Dock, NARROWEST, widestDock } from './use-dock.ts'

const STEP = 24

/** The left edge of the dock: dragging it, or the arrow keys on it, change the width. */
export function Resizer({ dock }: { dock: Pick<Dock, 'width' | 'resize'> }) {
  const from = useRef<{ x: number; width: number }>(null)
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, width: dock.width }
  }
  const move = (event: PointerEvent) => {
    if (from.current) dock.resize(from.current.width + from.current.x - event.clientX)
  }
  const end = () => {
    from.current = null
  }
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key]
    if (by === undefined) return
    event.preventDefault()
    dock.resize(dock.width + by)
  }
  return (
    <Box
      role="separator"
      tabIndex={0}
      aria-label="Panel width"
      aria-orientation="vertical"
      aria-valuenow={dock.width}
      aria-valuemin={NARROWEST}
      aria-valuemax={widestDock(window.innerWidth)}
      title="Drag to resize"
      position="absolute"
      insetY="0"
      left="-4px"
      width="8px"
      zIndex="docked"
      cursor="col-resize"
      touchAction="none"
      _hover={{ bg: 'accent.muted' }}
      _focusVisible={{ bg: 'accent.border', outline: 'none' }}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={press}
    />
  )
}
