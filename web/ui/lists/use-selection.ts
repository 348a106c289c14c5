import { useState } from 'react'

/** Returns the selection among the listed ids, and its handlers. */
export function useSelection(ids: readonly string[]) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const selected = ids.filter((id) => marked.has(id))
  const toggle = (changed: readonly string[], on: boolean) => {
    const next = new Set(marked)
    for (const id of changed) on ? next.add(id) : next.delete(id)
    setMarked(next)
  }
  return {
    selected,
    has: (id: string) => marked.has(id),
    toggle: (id: string, on: boolean) => toggle([id], on),
    /** Props of the checkbox that selects all. */
    all: {
      checked: selected.length === ids.length ? true : selected.length > 0 && ('indeterminate' as const),
      onChange: (on: boolean) => toggle(ids, on),
    },
    clear: () => setMarked(new Set()),
  }
}
