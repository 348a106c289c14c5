import { useStoreApi } from '@xyflow/react'
import { useEffect, useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { useCanvas } from '../store/context.ts'
import { draw, drawNames, pictureOf, prepare, readColours } from './drawing.ts'

/** Below this zoom a large flow is drawn as one picture. */
export const FAR_ZOOM = 0.45
/** Flows up to this many nodes are shown in full at every zoom. */
export const FEW_NODES = 120

/** The flow as one picture that follows the view without React. */
export function FarView({ mode }: { mode: string }) {
  const canvas = useCanvas()
  const { flow, selection } = useSnapshot(canvas.state, { sync: true })
  const picture = useMemo(() => pictureOf(flow, canvas.kind), [flow, canvas])
  const element = useRef<HTMLCanvasElement>(null)
  const store = useStoreApi()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the mode changes the colours that are read
  useEffect(() => {
    const target = element.current
    if (!target) return
    const colours = readColours(target)
    const paint = () => {
      const context = prepare(target)
      const [x, y, zoom] = store.getState().transform
      if (!context) return
      draw(context, picture, { x, y, zoom, selection, colours })
      drawNames(context, picture, { x, y, zoom, colours })
    }
    paint()
    return store.subscribe((now, before) => {
      if (now.transform !== before.transform || now.width !== before.width || now.height !== before.height) paint()
    })
  }, [picture, selection, store, mode])

  return <canvas ref={element} className="heddle-far" style={{ width: '100%', height: '100%' }} aria-hidden />
}

/** Below this zoom nodes show their names alone, in large type. */
const SIMPLE_ZOOM = 0.5
/** Font sizes of names in pixels: on the screen, and the largest that fits a node. */
const NAME = { size: 11, step: 4, largest: 32 }

/** Tells the style sheet how far away the nodes are, without rendering them. */
export function SimpleFaces() {
  const store = useStoreApi()
  useEffect(() => {
    const mark = () => {
      const { transform, domNode } = store.getState()
      const zoom = transform[2]
      domNode?.toggleAttribute('data-simple', zoom < SIMPLE_ZOOM)
      const size = Math.min(NAME.largest, Math.ceil(NAME.size / zoom / NAME.step) * NAME.step)
      domNode?.style.setProperty('--node-name', `${size}px`)
    }
    mark()
    return store.subscribe((now, before) => {
      if (now.transform[2] !== before.transform[2]) mark()
    })
  }, [store])
  return null
}
