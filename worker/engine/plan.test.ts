import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { flowDocumentSchema } from '#contract/flow/document.ts'
import { catalogue } from '../nodes/registry.ts'
import { compile } from './plan.ts'
import { drawFlow } from './testing.ts'

const order = (flow: ReturnType<typeof drawFlow>) => compile(flow, catalogue).nodes.map(({ id }) => id)

test('plan order follows the edges as drawn, each node after all that lead to it', () => {
  const nodes = { directReply_0: {}, llm_0: {}, llm_1: {}, llm_2: {}, start_0: {} }
  const arrows = ['start_0>llm_1', 'start_0>llm_0', 'llm_0>directReply_0', 'llm_1>llm_2', 'llm_2>directReply_0']
  expect(order(drawFlow(nodes, arrows))).toEqual(['start_0', 'llm_1', 'llm_0', 'llm_2', 'directReply_0'])
})

test('sticky notes and edges to nowhere are left out; an edge drawn twice counts once', () => {
  const flow = drawFlow({ start_0: {}, stickyNote_0: {}, llm_0: {} }, [
    'start_0>llm_0',
    'start_0>llm_0',
    'llm_0>gone_0',
  ])
  const plan = compile(flow, catalogue)
  expect(plan.nodes.map(({ id, incoming, outgoing }) => [id, incoming.length, outgoing.length])).toEqual([
    ['start_0', 0, 1],
    ['llm_0', 1, 0],
  ])
})

test.each([
  ['an unknown type', ['start_0', 'magic_0'], ['start_0>magic_0'], 'Magic 0: unknown node type "magicAgentflow"'],
  ['no start', ['llm_0'], [], 'The flow has no Start node: add one and connect it'],
  [
    'two starts',
    ['start_0', 'start_1'],
    [],
    'The flow has several Start nodes, only one is allowed: Start 0 (start_0), Start 1 (start_1)',
  ],
  ['a loose node', ['start_0', 'llm_0'], [], 'Llm 0: nothing leads to this node; connect it or delete it'],
  [
    'an edge into the start',
    ['start_0', 'llm_0'],
    ['start_0>llm_0', 'llm_0>start_0'],
    'Start 0: no edge may lead to the Start node',
  ],
  [
    'a cycle, not what stands behind it',
    ['start_0', 'llm_0', 'llm_1', 'llm_2'],
    ['start_0>llm_0', 'llm_0>llm_1', 'llm_1>llm_0', 'llm_1>llm_2'],
    'These nodes lead back to themselves: ',
  ],
  [
    'a decision whose output is not named',
    ['start_0', 'condition_0', 'llm_0'],
    ['start_0>condition_0', 'condition_0>llm_0'],
    'Condition 0: the edge to Llm 0 does not say which output it leaves; draw it again',
  ],
])('%s is refused', (_name, ids, arrows, message) => {
  const flow = drawFlow(Object.fromEntries(ids.map((id) => [id, {}])), arrows)
  expect(() => compile(flow, catalogue)).toThrow(message)
})

test('a cycle names its own nodes alone', () => {
  const arrows = ['start_0>llm_0', 'llm_0>llm_1', 'llm_1>llm_0', 'llm_1>llm_2']
  const flow = drawFlow({ start_0: {}, llm_0: {}, llm_1: {}, llm_2: {} }, arrows)
  expect(() => compile(flow, catalogue)).not.toThrow('Llm 2')
})

test('every unknown node is named at once', () => {
  const flow = drawFlow({ start_0: {}, wish_0: {}, dream_1: {} }, ['start_0>wish_0', 'wish_0>dream_1'])
  expect(() => compile(flow, catalogue)).toThrow(
    'Wish 0: unknown node type "wishAgentflow"\nDream 1: unknown node type "dreamAgentflow"',
  )
})

const samples = fileURLToPath(new URL('../../../shared/samples/flowise/agentflows', import.meta.url))

test.runIf(existsSync(samples))('sample flows compile, or name exactly their unknown nodes', () => {
  for (const file of readdirSync(samples)) {
    const flow = flowDocumentSchema.parse(JSON.parse(readFileSync(`${samples}/${file}`, 'utf8')))
    const unknown = flow.nodes.filter(({ data }) => !catalogue.node(data.name))
    const expected = unknown.map(({ data }) => `${data.label}: unknown node type "${data.name}"`).join('\n')
    if (expected) expect(() => compile(flow, catalogue), file).toThrow(expect.objectContaining({ message: expected }))
    else expect(compile(flow, catalogue).nodes.length, file).toBeGreaterThan(1)
  }
})
