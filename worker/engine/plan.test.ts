import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { flowDocumentSchema } from '#contract/flow/document/document.ts'
import { catalogue } from '../nodes/registry.ts'
import { compile } from './plan.ts'
import { drawFlow } from './testing/flows.ts'

const order = (flow: ReturnType<typeof drawFlow>) => compile(flow, catalogue).nodes.map(({ id }) => id)

test('plan order follows the edges, with each node after all its predecessors', () => {
  const nodes = { directReply_0: {}, llm_0: {}, llm_1: {}, llm_2: {}, start_0: {} }
  const arrows = ['start_0>llm_1', 'start_0>llm_0', 'llm_0>directReply_0', 'llm_1>llm_2', 'llm_2>directReply_0']
  expect(order(drawFlow(nodes, arrows))).toEqual(['start_0', 'llm_1', 'llm_0', 'llm_2', 'directReply_0'])
})

test('sticky notes and dangling edges are omitted, and a duplicate edge counts once', () => {
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

test('the error of a cycle names only its nodes', () => {
  const arrows = ['start_0>llm_0', 'llm_0>llm_1', 'llm_1>llm_0', 'llm_1>llm_2']
  const flow = drawFlow({ start_0: {}, llm_0: {}, llm_1: {}, llm_2: {} }, arrows)
  expect(() => compile(flow, catalogue)).not.toThrow('Llm 2')
})

test('one error names all unknown nodes', () => {
  const flow = drawFlow({ start_0: {}, wish_0: {}, dream_1: {} }, ['start_0>wish_0', 'wish_0>dream_1'])
  expect(() => compile(flow, catalogue)).toThrow(
    'Wish 0: unknown node type "wishAgentflow"\nDream 1: unknown node type "dreamAgentflow"',
  )
})

/** Places `llm_1` and the named nodes inside the container. */
function inside(container: string, children: string[], flow: ReturnType<typeof drawFlow>) {
  for (const node of flow.nodes) if (children.includes(node.id)) node.parentNode = container
  return flow
}

test('a container has its own plan, in which every node without incoming edges starts', () => {
  const nodes = { start_0: {}, iteration_0: {}, llm_0: {}, llm_1: {}, llm_2: {}, directReply_0: {} }
  const flow = inside(
    'iteration_0',
    ['llm_0', 'llm_1', 'llm_2'],
    drawFlow(nodes, ['start_0>iteration_0', 'llm_1>llm_2', 'iteration_0>directReply_0']),
  )
  const plan = compile(flow, catalogue)
  expect(plan.nodes.map(({ id }) => id)).toEqual(['start_0', 'iteration_0', 'directReply_0'])
  expect(plan.byId.get('iteration_0')?.inside?.nodes.map(({ id, index }) => [id, index])).toEqual([
    ['llm_0', 0],
    ['llm_1', 1],
    ['llm_2', 2],
  ])
  expect(plan.byId.get('start_0')?.inside).toBeUndefined()
})

test('a note in a container is omitted, and a node without its container belongs to the flow', () => {
  const nodes = { start_0: {}, iteration_0: {}, stickyNote_0: {}, llm_0: {} }
  const flow = inside('iteration_0', ['stickyNote_0'], drawFlow(nodes, ['start_0>iteration_0', 'iteration_0>llm_0']))
  inside('gone_0', ['llm_0'], flow)
  const plan = compile(flow, catalogue)
  expect(plan.nodes.map(({ id }) => id)).toEqual(['start_0', 'iteration_0', 'llm_0'])
  expect(plan.byId.get('iteration_0')?.inside?.nodes).toEqual([])
})

test.each([
  [
    'an edge across the border',
    ['start_0>iteration_0', 'llm_0>llm_1', 'iteration_0>llm_1'],
    ['llm_0'],
    'Llm 0: the edge to Llm 1 crosses the border of an iteration; connect the iteration itself',
  ],
  [
    'the start inside',
    ['iteration_0>llm_1'],
    ['start_0', 'llm_0'],
    'Start 0: the Start node cannot lie in an iteration',
  ],
  [
    'a container in itself',
    ['start_0>llm_1'],
    ['iteration_0'],
    'Iteration 0: lies in an iteration that lies in itself',
  ],
])('%s is refused', (_name, arrows, children, message) => {
  const flow = inside('iteration_0', children, drawFlow({ start_0: {}, iteration_0: {}, llm_0: {}, llm_1: {} }, arrows))
  expect(() => compile(flow, catalogue)).toThrow(message)
})

test.each([
  ['nothing', undefined, 'Loop 0: choose the node to loop back to'],
  [
    'a node that is gone',
    'gone_0-Gone',
    'Loop 0: the node to loop back to (gone_0) does not exist or is not in the same iteration',
  ],
  [
    'a node in a container',
    'llm_1-Llm 1',
    'Loop 0: the node to loop back to (llm_1) does not exist or is not in the same iteration',
  ],
])('a loop back to %s is refused', (_name, loopBackToNode, message) => {
  const nodes = { start_0: {}, llm_0: {}, loop_0: { loopBackToNode }, iteration_0: {}, llm_1: {} }
  const flow = inside(
    'iteration_0',
    ['llm_1'],
    drawFlow(nodes, ['start_0>llm_0', 'llm_0>loop_0', 'start_0>iteration_0']),
  )
  expect(() => compile(flow, catalogue)).toThrow(message)
})

test('a loop has its round and the later targets that share nodes with it, transitively', () => {
  const loops = { loop_0: 'llm_0', loop_1: 'llm_1', loop_2: 'llm_2' }
  const nodes = {
    ...{ start_0: {}, llm_0: {}, llm_1: {}, llm_2: {}, llm_3: {}, llm_4: {} },
    ...Object.fromEntries(Object.entries(loops).map(([id, to]) => [id, { loopBackToNode: `${to}-With-dashes` }])),
  }
  const arrows = [
    ...['start_0>llm_0', 'start_0>llm_1', 'start_0>llm_2', 'llm_0>loop_0', 'llm_1>loop_1', 'llm_2>loop_2'],
    ...['llm_0>llm_3', 'llm_1>llm_3', 'llm_1>llm_4', 'llm_2>llm_4'],
  ]
  const { targets } = compile(drawFlow(nodes, arrows), catalogue)
  const shown = targets.map(({ node, round, deeper }) => [
    node.id,
    round.map(({ id }) => id),
    deeper.map((other) => other.node.id),
  ])
  expect(shown).toEqual([
    ['llm_2', ['llm_2', 'loop_2', 'llm_4'], []],
    ['llm_1', ['llm_1', 'loop_1', 'llm_3', 'llm_4'], ['llm_2']],
    ['llm_0', ['llm_0', 'loop_0', 'llm_3'], ['llm_1', 'llm_2']],
  ])
})

/** A chain of nodes with a loop back to each of the first ones. */
function looping(nodes: number, loops: number) {
  const row = Array.from({ length: nodes }, (_, at) => `llm_${at}`)
  const backs = Array.from({ length: loops }, (_, at) => [`loop_${at}`, { loopBackToNode: `llm_${at}-x` }] as const)
  const arrows = row.map((id, at) => `${at === 0 ? 'start_0' : row[at - 1]}>${id}`)
  const inputs = { start_0: {}, ...Object.fromEntries(row.map((id) => [id, {}])), ...Object.fromEntries(backs) }
  return drawFlow(inputs, [...arrows, ...backs.map(([id]) => `${row.at(-1)}>${id}`)])
}

test('the cost of compiling is proportional to the size of the plan', () => {
  const cost = (nodes: number, loops: number) => {
    const flow = looping(nodes, loops)
    const times = Array.from({ length: 3 }, () => {
      const before = performance.now()
      compile(flow, catalogue)
      return performance.now() - before
    })
    return Math.min(...times)
  }
  // Sixteen times as many pairs. Comparing all loops for each node would be 256 times as many.
  expect(cost(3_200, 320) / cost(800, 80)).toBeLessThan(64)
})

test('a flow can have at most 500 loops', () => {
  expect(() => compile(looping(501, 501), catalogue)).toThrow('The flow has 501 Loop nodes. The maximum is 500.')
})

test('an error edge is recognized for every node, and the run policy is read', () => {
  const flow = drawFlow({ start_0: {}, condition_0: {}, llm_0: {}, llm_1: {} }, [
    'start_0>condition_0',
    'condition_0>0:llm_0',
    'condition_0>error:llm_1',
  ])
  const condition = flow.nodes.find(({ id }) => id === 'condition_0')
  if (condition) condition.data.runPolicy = { onError: 'branch', retries: 2 }
  const node = compile(flow, catalogue).byId.get('condition_0')
  expect(node?.outgoing.map(({ output }) => output)).toEqual([0, -1])
  expect(node?.policy).toMatchObject({ onError: 'branch', retries: 2, join: 'all', timeoutSeconds: null })
})

const samples = fileURLToPath(new URL('../../../shared/samples/flowise/agentflows', import.meta.url))

test.runIf(existsSync(samples))('sample flows compile, or fail with exactly their unknown nodes', () => {
  for (const file of readdirSync(samples)) {
    const flow = flowDocumentSchema.parse(JSON.parse(readFileSync(`${samples}/${file}`, 'utf8')))
    const unknown = flow.nodes.filter(({ data }) => !catalogue.node(data.name))
    const expected = unknown.map(({ data }) => `${data.label}: unknown node type "${data.name}"`).join('\n')
    if (expected) expect(() => compile(flow, catalogue), file).toThrow(expect.objectContaining({ message: expected }))
    else expect(compile(flow, catalogue).nodes.length, file).toBeGreaterThan(1)
  }
})
