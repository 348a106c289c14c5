import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'

const GAP = 20
const LEAST = 12

/** The dotted ground. It moves with the view as one composed layer: panning paints nothing anew. */
export function Dots() {
  const store = useStoreApi()
  const ground = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = ({ transform: [x, y, zoom] } = store.getState()) => {
      if (!ground.current) return
      let gap = GAP * zoom
      while (gap < LEAST) gap *= 2
      const { style } = ground.current
      const size = `${gap}px ${gap}px`
      if (style.backgroundSize !== size) style.backgroundSize = size
      style.transform = `translate(${x % gap}px, ${y % gap}px)`
    }
    place()
    return store.subscribe(place)
  }, [store])
  return <div ref={ground} className="heddle-dots" aria-hidden />
}
