import { ReactFlowProvider } from '@xyflow/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { newDocument } from '#contract/flow/document/create.ts'
import { paletteGroups } from '../panels/palette-groups.ts'
import { CanvasProvider } from '../store/context.ts'
import { createCanvas, nothing } from '../store/store.ts'
import { nodeHandles } from '../surface/geometry.ts'
import { viewNodes } from '../surface/to-xyflow.ts'
import { gardenKind, seed, stone, tree } from '../testing/kind.ts'
import { AgentNode } from './agentflow/nodes/AgentNode.tsx'

const definitions = [seed, tree, stone]
const flow = newDocument(gardenKind.flow, definitions)
const [node] = flow.nodes as [(typeof flow.nodes)[0]]

it('the palette shows the node types of the kind under its headings', () => {
  expect(paletteGroups(gardenKind.flow.palette, definitions, '')).toEqual([
    { heading: 'Plants', definitions: [seed, tree] },
  ])
  expect(paletteGroups(gardenKind.flow.palette, definitions, 'stone')).toEqual([{ heading: null, definitions: [] }])
})

it('a new flow holds the first nodes of the kind', () => {
  expect(flow.nodes.map(({ id }) => id)).toEqual(['seed_0'])
})

it('a node has a handle for each port of the kind, each input in its own row', () => {
  const handles = nodeHandles(node, gardenKind)
  expect(handles.map(({ id, type }) => [id, type])).toEqual([
    ['seed_0-water', 'target'],
    ['seed_0-light', 'target'],
    ['seed_0-fruit', 'source'],
  ])
  expect(handles[1]?.y).toBeGreaterThan(handles[0]?.y as number)
  const [view] = viewNodes(flow, nothing, gardenKind)
  expect(view).toMatchObject({ type: 'plant', handles: handles.map(({ id }) => ({ id })) })
})

it('a drawn node shows the icon, the summary and the handles of the kind', () => {
  const canvas = createCanvas(flow, definitions, gardenKind)
  const props = { id: node.id, data: { node }, type: 'plant', selected: false, dragging: false, draggable: true }
  const html = renderToStaticMarkup(
    <CanvasProvider value={canvas}>
      <ReactFlowProvider>
        <AgentNode
          {...props}
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
  expect(html).toContain('Icon of seed')
  expect(html).toContain('Grows from seed')
  for (const label of ['Water', 'Light', 'Fruit']) expect(html).toContain(`title="${label}"`)
})
