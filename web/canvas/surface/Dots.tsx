import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'

const GAP = 20
const MIN_GAP = 12

/** The dotted background, one composited layer that moves without repainting. */
export function Dots() {
  const store = useStoreApi()
  const background = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = ({ transform: [x, y, zoom] } = store.getState()) => {
      if (!background.current) return
      let gap = GAP * zoom
      while (gap < MIN_GAP) gap *= 2
      const { style } = background.current
      const size = `${gap}px ${gap}px`
      if (style.backgroundSize !== size) style.backgroundSize = size
      style.transform = `translate(${x % gap}px, ${y % gap}px)`
    }
    place()
    return store.subscribe(place)
  }, [store])
  return <div ref={background} className="heddle-dots" aria-hidden />
}
