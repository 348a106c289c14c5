import { useState } from 'react'

/** Returns a choice that is stored in local storage under `key`. */
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
