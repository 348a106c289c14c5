/** Advice for a failed or empty answer. Pure. */
import type { Answer } from '../conversation.ts'

/** Returns true for errors that another key or credential mends. */
export const needsCredential = (error = ''): boolean => /\(HTTP 40[13]\)|\b(API key|credential)\b/i.test(error)

/** Returns what to tell about a finished answer without content; undefined when there is content. */
export function emptyText(answer: Pick<Answer, 'text' | 'state' | 'artifacts' | 'requested' | 'steps' | 'stepCount'>) {
  const { text, state, artifacts, requested, steps, stepCount = steps.length } = answer
  if (state !== 'done' || text.trim() !== '' || artifacts.length > 0 || requested) return undefined
  return stepCount > 1
    ? 'The flow ended without an answer.'
    : 'The flow ended without an answer. Connect a node to Start to get one.'
}
