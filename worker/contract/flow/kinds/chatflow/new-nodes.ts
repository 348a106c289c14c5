import type { Anchor } from '../../document/document.ts'
import { outputHandleId } from '../../document/handles.ts'
import type { ComponentDefinition } from '../../params/definition.ts'
import { PRACTICE_MODEL } from '../../practice-model.ts'
import type { Link, Part } from '../types.ts'

/** A conversation that can be tried without a key. */
export const firstNodes: readonly Part[] = [
  { name: PRACTICE_MODEL, at: [100, 120] },
  { name: 'bufferMemory', at: [100, 320] },
  { name: 'conversationChain', at: [460, 160] },
]

export const firstLinks: readonly Link[] = [
  [0, 2],
  [1, 2],
]

/** Returns one output, or a choice of one among the declared outputs. */
export function outputAnchors(definition: ComponentDefinition, id: string): Anchor[] {
  const { name, type, description, baseClasses, outputs } = definition
  if (!outputs?.length) {
    const handle = outputHandleId(id, name, baseClasses)
    return [{ id: handle, name, label: type, description, type: baseClasses.join(' | ') }]
  }
  const options = outputs.map((output) => {
    const classes = output.baseClasses ?? []
    return { ...output, id: outputHandleId(id, output.name, classes), type: classes.join(' | ') }
  })
  return [{ name: 'output', label: 'Output', type: 'options', options, default: outputs[0]?.name } as unknown as Anchor]
}
