import { Box } from '@chakra-ui/react'
import { Panel, useReactFlow, useStoreApi } from '@xyflow/react'
import { memo, type PointerEvent, useEffect, useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { boundsOf } from '../geometry/boxes.ts'
import { useCanvas } from '../store/context.ts'
import { useSettledFlow } from '../store/hooks.ts'
import { draw, pictureOf, prepare, readColours } from './drawing.ts'
import { frameIn } from './map-frame.ts'

const WIDTH = 180
const HEIGHT = 112
const MARGIN = 8

/** The whole flow at a glance; a press or a drag on it moves the view. For the mouse: the outline serves the keyboard. */
export const MiniMap = memo(function MiniMap({ mode }: { mode: string }) {
  const canvas = useCanvas()
  const { selection } = useSnapshot(canvas.state)
  const flow = useSettledFlow(canvas, 120)
  const picture = useMemo(() => pictureOf(flow, canvas.kind), [flow, canvas])
  const scale = useMemo(() => {
    const bounds = boundsOf([...picture.boxes.values()]) ?? { x: 0, y: 0, width: 1, height: 1 }
    const zoom = Math.min((WIDTH - 2 * MARGIN) / bounds.width, (HEIGHT - 2 * MARGIN) / bounds.height, 0.2)
    const x = WIDTH / 2 - (bounds.x + bounds.width / 2) * zoom
    const y = HEIGHT / 2 - (bounds.y + bounds.height / 2) * zoom
    return { x, y, zoom }
  }, [picture])
  const element = useRef<HTMLCanvasElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the mode changes the colours that are read
  useEffect(() => {
    const target = element.current
    const context = target && prepare(target)
    if (context) draw(context, picture, { ...scale, selection, colours: readColours(target) })
  }, [picture, scale, selection, mode])

  const { setCenter } = useReactFlow()
  const store = useStoreApi()
  const goTo = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons !== 1) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const corner = event.currentTarget.getBoundingClientRect()
    const x = (event.clientX - corner.left - scale.x) / scale.zoom
    const y = (event.clientY - corner.top - scale.y) / scale.zoom
    void setCenter(x, y, { zoom: store.getState().transform[2] })
  }

  return (
    <Panel position="bottom-right">
      <Box
        position="relative"
        width={`${WIDTH}px`}
        height={`${HEIGHT}px`}
        overflow="hidden"
        bg="bg.panel"
        borderWidth="1px"
        rounded="xl"
        cursor="crosshair"
        aria-hidden
        onPointerDown={goTo}
        onPointerMove={goTo}
      >
        <canvas ref={element} style={{ width: WIDTH, height: HEIGHT }} />
        <ViewFrame scale={scale} />
      </Box>
    </Panel>
  )
})

/** The part of the flow that is on screen; it follows every move of the view without rendering. */
function ViewFrame({ scale }: { scale: { x: number; y: number; zoom: number } }) {
  const store = useStoreApi()
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = ({ transform: [x, y, zoom], width, height } = store.getState()) => {
      if (!frame.current) return
      const { style } = frame.current
      const box = frameIn({ width: WIDTH - 2, height: HEIGHT - 2 }, scale, {
        view: { x, y, zoom },
        pane: { width, height },
      })
      style.transform = `translate(${box.x}px, ${box.y}px)`
      style.width = `${box.width}px`
      style.height = `${box.height}px`
    }
    place()
    return store.subscribe(place)
  }, [store, scale])
  return (
    <Box
      ref={frame}
      position="absolute"
      top="0"
      left="0"
      borderWidth="2px"
      borderColor="accent.border"
      rounded="lg"
      pointerEvents="none"
    />
  )
}
