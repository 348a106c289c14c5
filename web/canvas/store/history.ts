/** Undo and redo: each change has a name and the document before and after it. */
import type { FlowDocument } from '#contract/flow/document/document.ts'

export interface Change {
  /** Shown to people: `connect LLM to Reply`. */
  name: string
  before: FlowDocument
  after: FlowDocument
  /** Consecutive changes with the same key become one: a drag, typing in a field. */
  merge?: string
}

export interface History {
  past: readonly Change[]
  future: readonly Change[]
}

/** The number of changes that are kept. */
const LIMIT = 500

export const emptyHistory: History = { past: [], future: [] }

/** Adds a change, merged into the last one when both have the same key. Clears the redo list. */
export function record(history: History, change: Change): History {
  const last = history.past.at(-1)
  if (last && change.merge !== undefined && last.merge === change.merge) {
    return { past: [...history.past.slice(0, -1), { ...change, before: last.before }], future: [] }
  }
  return { past: [...history.past, change].slice(-LIMIT), future: [] }
}

/** Ends a gesture: the next change starts an entry of its own. */
export function seal(history: History): History {
  const last = history.past.at(-1)
  if (last?.merge === undefined) return history
  const { merge: _, ...sealed } = last
  return { ...history, past: [...history.past.slice(0, -1), sealed] }
}

interface Step {
  history: History
  change: Change
}

/** Returns the last change and the history before it, null for an empty history. */
export function stepBack(history: History): Step | null {
  const change = seal(history).past.at(-1)
  if (!change) return null
  return { change, history: { past: history.past.slice(0, -1), future: [change, ...history.future] } }
}

/** Returns the next undone change and the history after it, null when there is none. */
export function stepForward(history: History): Step | null {
  const [change, ...future] = history.future
  if (!change) return null
  return { change, history: { past: [...history.past, change], future } }
}
