/** The node types of gardens, as they run. */
import { bed, heap, vase, well, worms } from '#contract/flow/kinds/testing/garden/components.ts'
import type { NodeType, StepContext, StepResult } from '../types.ts'

type Grow = (context: StepContext) => StepResult

const nodeType = (definition: NodeType['definition'], grow: Grow): NodeType => ({
  definition,
  run: async (context) => grow(context),
})

export const gardenNodes: NodeType[] = [
  nodeType(well, ({ input }) => ({
    input: input.text,
    output: { content: '', water: `${input.text} water`, mud: `${input.text} mud` },
  })),
  nodeType(bed, ({ inputs }) => {
    const { seeds, water, soil } = inputs
    const grown = `${seeds} on ${water}${soil ? ` and ${[soil].flat().join(', ')}` : ''}`
    const isPoor = seeds === 'dust'
    return { input: inputs, output: { content: '', flowers: grown, weeds: grown }, takenOutputs: [isPoor ? 1 : 0] }
  }),
  nodeType(vase, ({ inputs, isLast, emit }) => {
    const content = `A vase of ${inputs.flowers}`
    if (isLast) emit({ event: 'token', data: content })
    return { input: inputs, output: { content } }
  }),
  // The condition of a way says how often worms may have turned the garden before.
  nodeType(worms, ({ inputs, backEdges, loopCount }) => {
    const content = `humus of ${inputs.scraps}`
    const way = backEdges.find(({ condition }) => condition === undefined || loopCount < Number(condition))
    return { input: inputs, output: { content, soil: content, humus: content }, jumpTo: way?.target }
  }),
  nodeType(heap, ({ inputs }) => ({ input: inputs, output: { content: `A heap of ${inputs.scraps}` } })),
]
