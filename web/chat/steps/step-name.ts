import type { StepMark } from '../conversation.ts'
import { occurrenceText } from '../trace/tree.ts'

/** Returns `Writer`, or `Writer (item 2)` inside an iteration. */
export function stepName({ nodeLabel, path }: StepMark): string {
  const which = path ? occurrenceText(path) : ''
  return which ? `${nodeLabel} (${which})` : nodeLabel
}
