/** Undo and redo as data: every change is a name and the document before and after it. */
import type { FlowDocument } from '#contract/flow/document/document.ts'

export interface Change {
  /** As the person reads it: `connect LLM to Reply`. */
  name: string
  before: FlowDocument
  after: FlowDocument
  /** Changes in a row with the same key become one: a drag, the typing in one field. */
  merge?: string
}

export interface History {
  past: readonly Change[]
  future: readonly Change[]
}

/** Older changes than this are forgotten. */
const LIMIT = 500

export const emptyHistory: History = { past: [], future: [] }

/** Adds a change; it joins the last one when both carry the same merge key. What was undone is forgotten. */
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

export interface Step {
  history: History
  change: Change
}

/** The history after taking the last change back, and that change; null when there is none. */
export function stepBack(history: History): Step | null {
  const change = seal(history).past.at(-1)
  if (!change) return null
  return { change, history: { past: history.past.slice(0, -1), future: [change, ...history.future] } }
}

/** The history after doing the next undone change again, and that change; null when there is none. */
export function stepForward(history: History): Step | null {
  const [change, ...future] = history.future
  if (!change) return null
  return { change, history: { past: [...history.past, change], future } }
}
