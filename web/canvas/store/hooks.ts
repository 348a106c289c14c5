import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { subscribe } from 'valtio'
import type { Canvas, CanvasState } from './store.ts'

/**
 * A value worked out from the canvas. Renders again only when it is another one (compared by `Object.is`), so that
 * a drag does not render what shows a name or a count.
 */
export function useCanvasValue<T extends string | number | boolean | undefined>(
  { state }: Canvas,
  read: (state: CanvasState) => T,
): T {
  return useSyncExternalStore(
    (listen) => subscribe(state, listen),
    () => read(state),
  )
}

/** The value as it was when it last stood still for that long; the first one at once. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}

/** The array of the last render when this one holds the same things. */
export function useSameArray<T>(items: T[]): T[] {
  const kept = useRef(items)
  const same = kept.current.length === items.length && items.every((item, index) => item === kept.current[index])
  if (!same) kept.current = items
  return kept.current
}
