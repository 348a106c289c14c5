import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { subscribe } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { NodeNames } from '#contract/flow/references/reference-names.ts'
import type { Canvas, CanvasState } from './store.ts'

/** Returns a value computed from the canvas. Renders only when it changes, not on every step of a drag. */
export function useCanvasValue<T extends string | number | boolean | undefined | NodeNames>(
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

/** Returns the document, debounced. Does not render while it keeps changing, as in a drag. */
export function useSettledFlow({ state }: Canvas, milliseconds: number): FlowDocument {
  const [settled, setSettled] = useState<FlowDocument>(state.flow)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = () => setSettled(state.flow)
    settle()
    const stop = subscribeKey(state, 'flow', () => {
      clearTimeout(timer)
      timer = setTimeout(settle, milliseconds)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [state, milliseconds])
  return settled
}

/** Returns the previous array while the items are the same. */
export function useSameArray<T>(items: T[]): T[] {
  const kept = useRef(items)
  const same = kept.current.length === items.length && items.every((item, index) => item === kept.current[index])
  if (!same) kept.current = items
  return kept.current
}

type Handlers = Record<string, (...args: never[]) => unknown>

/** Returns the same functions at every render, each calling its newest version: xyflow renders all nodes for a new one. */
export function useStableHandlers<T extends Handlers>(handlers: T): T {
  const latest = useRef<Handlers>(handlers)
  latest.current = handlers
  const names = Object.keys(handlers).join()
  return useMemo(() => {
    const stable =
      (name: string) =>
      (...args: never[]) =>
        latest.current[name]?.(...args)
    return Object.fromEntries(names.split(',').map((name) => [name, stable(name)])) as T
  }, [names])
}
