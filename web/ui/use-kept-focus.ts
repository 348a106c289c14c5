import { type RefObject, useEffect, useRef } from 'react'

/** When what had the focus goes away together with a change of `key`, the place where it stood takes the focus. */
export function useKeptFocus(place: RefObject<HTMLElement | null>, key: unknown): void {
  const before = useRef(key)
  useEffect(() => {
    if (before.current === key) return
    before.current = key
    if (document.activeElement === document.body) place.current?.focus()
  }, [place, key])
}
