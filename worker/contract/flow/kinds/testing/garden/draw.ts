import { connectNodes } from '../../../document/connect.ts'
import { createNode } from '../../../document/create.ts'
import type { FlowDocument } from '../../../document/document.ts'
import { newDocument } from '../../../document/draw.ts'
import { bed, components, vase, type well } from './components.ts'
import { garden } from './kind.ts'

/** Returns a well that waters a bed, whose flowers stand in a vase. */
export function drawGarden(seeds = 'tulips'): FlowDocument {
  const place = { position: { x: 0, y: 0 } }
  const add = (flow: FlowDocument, definition: typeof well) => ({
    ...flow,
    nodes: [...flow.nodes, createNode(definition, { nodes: flow.nodes, ...place }, garden)],
  })
  const { nodes, edges } = [bed, vase].reduce(add, newDocument(garden, components))
  const sown = nodes.map((node) =>
    node.data.name === bed.name ? { ...node, data: { ...node.data, inputs: { ...node.data.inputs, seeds } } } : node,
  )
  return [
    ['well_0>water', 'bed_0<water'],
    ['bed_0>flowers', 'vase_0<flowers'],
  ].reduce(link, { nodes: sown, edges })
}

const link = (document: FlowDocument, [from = '', to = '']: string[]) =>
  connectNodes(
    document,
    {
      source: from.split('>')[0] as string,
      sourceHandle: from,
      target: to.split('<')[0] as string,
      targetHandle: to,
    },
    garden,
  )
