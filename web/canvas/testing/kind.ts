/** The made-up kind of flow on the canvas, for tests of what the editor takes from a kind. */
import { garden } from '#contract/flow/kinds/testing/garden/kind.ts'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import type { CanvasKind } from '../kinds/types.ts'

export const gardenKind: CanvasKind = {
  ...agentflowKind,
  flow: garden,
  NodeIcon: ({ name }) => `Icon of ${name}`,
  nodeComponent: () => 'plant',
  face: ({ data }) => ({ first: `Grows from ${data.name}`, second: '', tools: [] }),
  isEmpty: ({ nodes }) => nodes.length === 0,
}
