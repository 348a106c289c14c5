import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to `place` when the focused element disappears with a change of `key`. */
export function useRestoreFocus(place: RefObject<HTMLElement | null>, key: unknown): void {
  const before = useRef(key)
  useEffect(() => {
    if (before.current === key) return
    before.current = key
    if (document.activeElement === document.body) place.current?.focus()
  }, [place, key])
}
