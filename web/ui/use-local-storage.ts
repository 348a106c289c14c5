import { useState } from 'react'

/** A choice that is kept in this browser under `key`: `cards` or `table`. */
export function useLocalStorage<Choice extends string>(key: string, choices: readonly [Choice, ...Choice[]]) {
  const [choice, setChoice] = useState<Choice>(() => {
    const stored = localStorage.getItem(key)
    return choices.find((each) => each === stored) ?? choices[0]
  })
  const choose = (next: Choice) => {
    localStorage.setItem(key, next)
    setChoice(next)
  }
  return [choice, choose] as const
}
