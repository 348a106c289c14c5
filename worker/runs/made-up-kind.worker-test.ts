/** A made-up kind of flow, added with one line in each list that ARCHITECTURE.md names, in the real worker. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectNodes } from '#contract/flow/document/connect.ts'
import { createNode } from '#contract/flow/document/create.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { newDocument } from '#contract/flow/document/draw.ts'
import { bed, components, vase, type well } from '#contract/flow/kinds/testing/garden/components.ts'
import { garden } from '#contract/flow/kinds/testing/garden/kind.ts'
import { build } from '../local/build/vite-build.ts'
import { call } from '../local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '../local/testing/heddle.ts'

const GARDEN = 'worker/contract/flow/kinds/testing/garden/kind.ts'
const LINES: Record<string, { after: string; line: string; imports?: string }> = {
  'worker/contract/chatflows.ts': { after: 'export const FLOW_TYPES = [', line: "'GARDEN', " },
  'worker/contract/flow/kinds/index.ts': {
    after: 'FlowKind>> = {',
    line: 'GARDEN: garden,',
    imports: `import { garden } from '#${GARDEN.replace('worker/contract', 'contract')}'`,
  },
  'worker/nodes/index.ts': {
    after: 'NodeType[] = [',
    line: '...gardenNodes,',
    imports: "import { gardenNodes } from '#worker/nodes/testing/garden.ts'",
  },
  'worker/runs/compilers.ts': {
    after: 'Compile>> = {',
    line: "GARDEN: (flow, catalogue) => compile(flow, catalogue, kindOf('GARDEN')),",
  },
}

/** Adds the lines to the sources while they are built. */
const withLines = {
  name: 'with-lines',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    const added = Object.entries(LINES).find(([path]) => id.endsWith(path))?.[1]
    if (!added) return undefined
    const { after, line, imports = '' } = added
    if (!code.includes(after)) throw new Error(`${id} has no "${after}"`)
    return `${imports}\n${code.replace(after, `${after}${line}`)}`
  },
}

let dist: string
let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), 'heddle-made-up-kind-'))
  await build('worker', { dist, plugins: [withLines] })
  heddle = await startTestHeddle({ dist })
  ann = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  rmSync(dist, { recursive: true })
})

function planted(): FlowDocument {
  const place = { position: { x: 0, y: 0 } }
  const add = (flow: FlowDocument, definition: typeof well) => ({
    ...flow,
    nodes: [...flow.nodes, createNode(definition, { nodes: flow.nodes, ...place }, garden)],
  })
  const flow = [bed, vase].reduce(add, newDocument(garden, components))
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
  return [
    ['well_0>water', 'bed_0<water'],
    ['bed_0>flowers', 'vase_0<flowers'],
  ].reduce(link, flow)
}

it('saves, reads, lists and runs a flow of a kind that was added with a line in each list', async () => {
  const json = { name: 'Roses', type: 'GARDEN', flowData: JSON.stringify(planted()) }
  const saved = await call(ann, 'POST', '/chatflows', json)
  expect(saved.status).toBe(200)
  const { id } = saved.body
  expect((await call(ann, 'GET', `/chatflows/${id}`)).body).toMatchObject({ type: 'GARDEN', flowData: json.flowData })
  expect((await call(ann, 'GET', '/chatflows?type=GARDEN')).body).toMatchObject([{ id }])
  expect((await call(ann, 'GET', '/nodes/vase')).body).toMatchObject({ name: 'vase' })
  const answer = await call(ann, 'POST', `/internal-prediction/${id}`, { question: 'cold' })
  expect(answer).toMatchObject({ status: 200, body: { text: expect.stringMatching(/^A vase of .* on cold water$/) } })
})

it('refuses a type without such lines', async () => {
  const { status, body } = await call(ann, 'POST', '/chatflows', {
    name: 'x',
    type: 'MEADOW',
    flowData: '{"nodes":[],"edges":[]}',
  })
  expect([status, body.field]).toEqual([400, 'type'])
})
