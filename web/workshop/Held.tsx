import { type ReactNode, useState } from 'react'

interface HeldProps<Value> {
  initial: Value
  tell(value: unknown): void
  children(value: Value, change: (next: Value) => void): ReactNode
}

/** Holds the value of a controlled component, and tells each change. */
export function Held<Value>({ initial, tell, children }: HeldProps<Value>) {
  const [value, setValue] = useState(initial)
  return children(value, (next) => {
    setValue(next)
    tell(next)
  })
}
