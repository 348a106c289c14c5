import { useEffect, useState } from 'react'

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'dragenter'] as const

/** True from the first sign of a person: the tools of the pointer load then, not with the page. */
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
