import { ReactFlowProvider } from '@xyflow/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { createNode } from '#contract/flow/document/create.ts'
import { newDocument } from '#contract/flow/document/draw.ts'
import { bed, components, vase } from '#contract/flow/kinds/testing/garden/components.ts'
import { nodeHandles } from '../geometry/handles.ts'
import { paletteGroups } from '../panels/palette-groups.ts'
import { CanvasProvider } from '../store/context.ts'
import { createCanvas, EMPTY_SELECTION } from '../store/store.ts'
import { viewNodes } from '../surface/to-xyflow.ts'
import { gardenKind } from '../testing/kind.ts'
import { AgentNode } from './agentflow/nodes/AgentNode.tsx'

const stone = { ...bed, name: 'stone', label: 'Stone', category: 'Quarry' }
const definitions = [...components, stone]
const fresh = newDocument(gardenKind.flow, definitions)
const node = createNode(bed, { nodes: fresh.nodes, position: { x: 0, y: 0 } }, gardenKind.flow)
const flow = { ...fresh, nodes: [node] }

it('the palette shows the node types of the kind under its headings', () => {
  expect(paletteGroups(gardenKind.flow.palette, definitions, '')).toEqual([
    { heading: 'Plants', definitions: components },
  ])
  expect(paletteGroups(gardenKind.flow.palette, definitions, 'stone')).toEqual([{ heading: null, definitions: [] }])
})

it('a new flow holds the first nodes of the kind', () => {
  expect(fresh.nodes.map(({ id }) => id)).toEqual(['well_0'])
})

it('a node has a handle for each port of the kind, each input in its own row', () => {
  const handles = nodeHandles(node, gardenKind)
  expect(handles.map(({ id, type }) => [id, type])).toEqual([
    ['bed_0<water', 'target'],
    ['bed_0<soil', 'target'],
    ['bed_0>flowers', 'source'],
    ['bed_0>weeds', 'source'],
  ])
  expect(handles[1]?.y).toBeGreaterThan(handles[0]?.y as number)
  const [view] = viewNodes(flow, EMPTY_SELECTION, gardenKind)
  expect(view).toMatchObject({ type: 'plant', handles: handles.map(({ id }) => ({ id })) })
})

/** The node as the canvas draws it. */
function drawn(shown: typeof node): string {
  const canvas = createCanvas({ ...flow, nodes: [shown] }, definitions, gardenKind)
  const props = { id: shown.id, data: { node: shown }, type: 'plant', selected: false, dragging: false }
  return renderToStaticMarkup(
    <CanvasProvider value={canvas}>
      <ReactFlowProvider>
        <AgentNode
          {...props}
          draggable
          selectable
          deletable
          zIndex={0}
          isConnectable
          positionAbsoluteX={0}
          positionAbsoluteY={0}
        />
      </ReactFlowProvider>
    </CanvasProvider>,
  )
}

it('a drawn node shows the icon and the handles of the kind', () => {
  const html = drawn(node)
  expect(html).toContain('Icon of bed')
  for (const label of ['Water', 'Soil', 'Flowers', 'Weeds']) expect(html).toContain(`title="${label}"`)
})

it('a drawn node without rows of outputs shows the summary of the kind', () => {
  const single = createNode(vase, { nodes: [], position: { x: 0, y: 0 } }, gardenKind.flow)
  expect(drawn(single)).toContain('Grows from vase')
})
