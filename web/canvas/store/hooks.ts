import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { subscribe } from 'valtio'
import type { Canvas, CanvasState } from './store.ts'

/** Returns a value computed from the canvas. Renders only when it changes, not on every step of a drag. */
export function useCanvasValue<T extends string | number | boolean | undefined>(
  { state }: Canvas,
  read: (state: CanvasState) => T,
): T {
  return useSyncExternalStore(
    (listen) => subscribe(state, listen),
    () => read(state),
  )
}

/** Returns the value, debounced; the first one at once. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}

/** Returns the previous array while the items are the same. */
export function useSameArray<T>(items: T[]): T[] {
  const kept = useRef(items)
  const same = kept.current.length === items.length && items.every((item, index) => item === kept.current[index])
  if (!same) kept.current = items
  return kept.current
}

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'dragenter'] as const

/** True from the first sign of a person: what only hands need loads then, not with the page. */
export function useTouched(): boolean {
  const [touched, setTouched] = useState(false)
  useEffect(() => {
    if (touched) return
    const touch = () => setTouched(true)
    for (const sign of SIGNS) window.addEventListener(sign, touch)
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, touch)
    }
  }, [touched])
  return touched
}
