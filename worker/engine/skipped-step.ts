/** The step of a disabled node: it does nothing, and what arrived goes on. */
import type { StepOutput } from '#contract/runs/events.ts'
import type { Step } from './step.ts'
import type { Entry } from './step-writer.ts'

/** What belongs to the step that made it: costs, times, files and questions must not count twice. */
const NOT_PASSED_ON = [
  'usageMetadata',
  'timeMetadata',
  'responseMetadata',
  'calledTools',
  'usedTools',
  'artifacts',
  'humanInputAction',
  'conditions',
  'ephemeralMemory',
  'persistState',
]

/**
 * Returns the row of a disabled node. Its output is that of the nodes before it, so that references to it go on working.
 * A node that decides takes its first output; a Loop does not go back; what lies in a container is skipped with it.
 */
export function skippedStep({ frame, node }: Step): Omit<Entry, 'status'> {
  const outputs = frame.scheduler.cameFrom(node).map(({ id }) => frame.output(id, node) ?? {})
  const decides = (node.type.definition.outputs?.length ?? 0) > 0
  return {
    data: { output: joined(outputs), state: frame.before(node).state, disabled: true },
    ...(decides && { takenOutputs: [0] }),
  }
}

function joined(outputs: readonly StepOutput[]): StepOutput {
  const passed = outputs.flatMap((output) => Object.entries(output)).filter(([key]) => !NOT_PASSED_ON.includes(key))
  const texts = outputs.flatMap(({ content }) => content ?? [])
  return { ...Object.fromEntries(passed), ...(texts.length > 0 && { content: texts.join('\n\n') }) }
}
