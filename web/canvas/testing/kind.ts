/** A made-up kind of flow, for tests of what the editor takes from a kind. */
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { agentflowKind } from '../kinds/agentflow/index.ts'
import type { CanvasKind } from '../kinds/types.ts'
import { llm } from './flows.ts'

const component = (name: string, label: string, category: string): ComponentDefinition => ({
  ...llm,
  name,
  label,
  category,
  type: label,
})

export const seed = component('seed', 'Seed', 'Garden')
export const tree = component('tree', 'Tree', 'Garden')
export const stone = component('stone', 'Stone', 'Quarry')

const port = (id: string, label: string) => ({ id, label, types: [], many: true })

/** Nodes have two inputs and one output, whatever the component says. */
export const gardenKind: CanvasKind = {
  ...agentflowKind,
  flow: {
    ...agentflow,
    newName: 'New garden',
    palette: {
      headings: ['Plants'],
      headingOf: ({ category }) => (category === 'Garden' ? 'Plants' : undefined),
    },
    firstNodes: ['seed'],
    ports: ({ id }) => ({
      inputs: [port(`${id}-water`, 'Water'), port(`${id}-light`, 'Light')],
      outputs: [port(`${id}-fruit`, 'Fruit')],
    }),
  },
  NodeIcon: ({ name }) => `Icon of ${name}`,
  Overlay: null,
  nodeComponent: () => 'plant',
  summary: ({ data }) => `Grows from ${data.name}`,
  isEmpty: ({ nodes }) => nodes.length === 0,
}
