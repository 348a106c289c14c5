import { ReactFlow, ReactFlowProvider } from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import '../surface/canvas.css'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { bed, components, vase } from '#contract/flow/kinds/testing/garden/components.ts'
import { Held } from '../../workshop/Held.tsx'
import { expect, expectWords, page, role, story, text } from '../../workshop/story.tsx'
import { CanvasProvider } from '../store/context.ts'
import { type Canvas, createCanvas, EMPTY_SELECTION } from '../store/store.ts'
import { viewNodes } from '../surface/to-xyflow.ts'
import { gardenKind } from '../testing/kind.ts'
import { AgentNode } from './agentflow/nodes/AgentNode.tsx'
import { IterationNode } from './agentflow/nodes/IterationNode.tsx'
import { FieldList } from './agentflow/trigger/FieldList.tsx'
import { ChatNode } from './chatflow/ChatNode.tsx'
import { OutputField } from './chatflow/OutputField.tsx'

/** Every way in which nodes are drawn here, for a node of the made-up kind. */
const DRAWN = { agent: AgentNode, chat: ChatNode, container: IterationNode }

const plant = (definition = bed, change: object = {}): FlowDocument => {
  const node = createNode(definition, { nodes: [], position: { x: 0, y: 0 } }, gardenKind.flow)
  return { nodes: [{ ...node, data: { ...node.data, ...change } }], edges: [] }
}

const canvasOf = (flow: FlowDocument, known = components): Canvas => createCanvas(flow, known, gardenKind)

const drawn = (canvas: Canvas, as: keyof typeof DRAWN) => {
  const nodes = viewNodes(canvas.state.flow, EMPTY_SELECTION, gardenKind).map((node) => ({ ...node, type: as }))
  return (
    <CanvasProvider value={canvas}>
      <ReactFlowProvider>
        <div style={{ width: 500, height: 300 }}>
          <ReactFlow nodes={nodes} nodeTypes={DRAWN} proOptions={{ hideAttribution: true }} />
        </div>
      </ReactFlowProvider>
    </CanvasProvider>
  )
}

const node = () => document.querySelector('.heddle-node') as HTMLElement

story(
  'a step shows its name, its type and its outputs in rows',
  () => drawn(canvasOf(plant()), 'agent'),
  async () => {
    await expect.poll(() => node()?.textContent).toContain('Bed')
    const rows = [...node().querySelectorAll('.heddle-node-output')].map(({ textContent }) => textContent)
    expect(rows).toHaveLength(2)
  },
)

story(
  'a step without rows shows the summary of its kind',
  () => drawn(canvasOf(plant(vase)), 'agent'),
  async () => {
    await expect.poll(() => node()?.textContent).toContain('Grows from vase')
  },
)

story(
  'a node of an unknown type is shown by its name, and says that it is kept unchanged',
  () => drawn(canvasOf(plant(), [vase]), 'agent'),
  async () => {
    await expect.poll(() => node()?.dataset.unsupported).toBe('true')
    await expect.poll(() => node().textContent).toContain('Not supported. Kept unchanged.')
    expect(node().querySelector('.heddle-node-kind')?.textContent).toBe('bed')
  },
)

story(
  'a container counts the nodes inside, and an empty one says what belongs there',
  () => drawn(canvasOf(plant()), 'container'),
  async () => {
    await expect.poll(() => node()?.textContent).toContain('0 nodes inside')
    expect(node().textContent).toContain('Drop nodes here')
  },
)

story(
  'a container with one node says so in the singular',
  () => {
    const { nodes } = plant()
    const child = createNode(vase, { nodes, position: { x: 0, y: 0 } }, gardenKind.flow)
    return drawn(
      canvasOf({ nodes: [...nodes, { ...child, parentNode: nodes[0]?.id as string }], edges: [] }),
      'container',
    )
  },
  async () => {
    await expect.poll(() => node()?.textContent).toContain('1 node inside')
    expect(node().textContent).not.toContain('Drop nodes here')
  },
)

story(
  'a component of a chat flow shows a row for each input that can be linked, with a star where it is needed',
  () => drawn(canvasOf(plant()), 'chat'),
  async () => {
    await expect.poll(() => node()?.textContent).toContain('Bed')
    expect(node().textContent).toContain('Grows from bed')
  },
)

story(
  'a component with a key says whether one is chosen',
  () => (
    <>
      {drawn(canvasOf(plant(vase, { credential: 'c1' })), 'chat')}
      {drawn(canvasOf(plant(bed, { credential: '' })), 'chat')}
    </>
  ),
  async () => {
    const kinds = () => [...document.querySelectorAll('.heddle-node-kind')].map(({ textContent }) => textContent)
    await expect.poll(kinds).toEqual([expect.stringContaining('key chosen'), expect.stringContaining('no key')])
  },
)

const choice = {
  outputs: { output: 'first' },
  outputAnchors: [
    {
      name: 'output',
      label: 'Output',
      type: 'options',
      options: [
        { id: 'bed_0-output-first-X', name: 'first', label: 'First', type: 'X' },
        { id: 'bed_0-output-second-Y', name: 'second', label: 'Second', type: 'Y' },
      ],
    },
  ],
}

story(
  'the output of a node is chosen in its settings, which say what that removes',
  () => {
    const canvas = canvasOf(plant(bed, choice))
    return (
      <CanvasProvider value={canvas}>
        <OutputField node={canvas.state.flow.nodes[0] as never} />
      </CanvasProvider>
    )
  },
  async () => {
    await expect.element(role('combobox', 'Output')).toHaveDisplayValue('First')
    expect(
      role('option')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['First', 'Second'])
    await expect.element(text(/removes/)).toBeVisible()
  },
)

const field = (name: string, canBeExpected = true) => ({
  part: 'body' as const,
  name,
  type: 'string' as const,
  sample: `sample of ${name}`,
  reference: `$webhook.body.${name}`,
  canBeExpected,
})

const fields = (canvas: Canvas, names: ReturnType<typeof field>[]) => (
  <CanvasProvider value={canvas}>
    <FieldList nodeId={canvas.state.flow.nodes[0]?.id as string} fields={names} />
  </CanvasProvider>
)

story(
  'a request without fields says so',
  () => fields(canvasOf(plant()), []),
  async () => {
    await expect.element(text('The request has no fields.')).toBeVisible()
  },
)

story(
  'a field of a request is expected by a click, and can be inserted into the message then',
  (tell) => (
    <Held initial={canvasOf(plant())} tell={tell}>
      {(canvas) => fields(canvas, [field('city')])}
    </Held>
  ),
  async () => {
    await expectWords(role('list', 'Body'), 'sample of city')
    expect(role('button', 'Insert city into the message').elements()).toEqual([])
    await role('button', 'Expect city').click()
    await expect.element(role('button', 'city is expected')).toBeDisabled()
    await role('button', 'Insert city into the message').click()
    await expectWords(role('list', 'Body'), '{{ $webhook.body.city }}')
  },
)

story(
  'a field that cannot be expected can still be referenced',
  () => fields(canvasOf(plant()), [field('items[0]', false)]),
  async () => {
    await expect.element(role('button', 'Copy the reference to items[0]')).toBeVisible()
    expect(page.getByRole('button', { name: /^Expect/ }).elements()).toEqual([])
  },
  { width: 'phone' },
)
