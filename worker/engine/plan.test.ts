// @defends flow-loops-takes
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { flowDocumentSchema } from '#contract/flow/document/document.ts'
import { costRatio } from '#worker/local/testing/growth.ts'
import { catalogue } from '../nodes/registry.ts'
import { compileFlow, drawFlow } from './testing/flows.ts'

const order = (flow: ReturnType<typeof drawFlow>) => compileFlow(flow, catalogue).nodes.map(({ id }) => id)

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
  const plan = compileFlow(flow, catalogue)
  expect(plan.nodes.map(({ id, incoming, outgoing }) => [id, incoming.length, outgoing.length])).toEqual([
    ['start_0', 0, 1],
    ['llm_0', 1, 0],
  ])
})

test.each([
  [
    'an unknown type',
    ['start_0', 'magic_0'],
    ['start_0>magic_0'],
    'Magic 0: The node type magicAgentflow is not available here',
  ],
  ['no start', ['llm_0'], [], 'Flow: Add a Start node'],
  ['two starts', ['start_0', 'start_1'], [], 'Start 1: Only one Start node is allowed'],
  ['a loose node', ['start_0', 'llm_0'], [], 'Llm 0: This node isn’t connected. Connect it or delete it'],
  [
    'an edge into the start',
    ['start_0', 'llm_0'],
    ['start_0>llm_0', 'llm_0>start_0'],
    'Start 0: A connection from Llm 0 to Start 0 leads nowhere. Remove it',
  ],
  [
    'a cycle, not what stands behind it',
    ['start_0', 'llm_0', 'llm_1', 'llm_2'],
    ['start_0>llm_0', 'llm_0>llm_1', 'llm_1>llm_0', 'llm_1>llm_2'],
    'The connections form a cycle (',
  ],
  [
    'a decision whose output is not named',
    ['start_0', 'condition_0', 'llm_0'],
    ['start_0>condition_0', 'condition_0>llm_0'],
    'Condition 0: A connection from Condition 0 to Llm 0 leads nowhere. Remove it',
  ],
])('%s is refused', (_name, ids, arrows, message) => {
  const flow = drawFlow(Object.fromEntries(ids.map((id) => [id, {}])), arrows)
  expect(() => compileFlow(flow, catalogue)).toThrow(message)
})

test('the error of a cycle names only its nodes', () => {
  const arrows = ['start_0>llm_0', 'llm_0>llm_1', 'llm_1>llm_0', 'llm_1>llm_2']
  const flow = drawFlow({ start_0: {}, llm_0: {}, llm_1: {}, llm_2: {} }, arrows)
  expect(() => compileFlow(flow, catalogue)).not.toThrow('Llm 2')
})

test('one error names all unknown nodes', () => {
  const flow = drawFlow({ start_0: {}, wish_0: {}, dream_1: {} }, ['start_0>wish_0', 'wish_0>dream_1'])
  expect(() => compileFlow(flow, catalogue)).toThrow(
    'Wish 0: The node type wishAgentflow is not available here\nDream 1: The node type dreamAgentflow is not available here',
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
  const plan = compileFlow(flow, catalogue)
  expect(plan.nodes.map(({ id }) => id)).toEqual(['start_0', 'iteration_0', 'directReply_0'])
  expect(
    plan.byId
      .get('iteration_0')
      ?.members.get('')
      ?.nodes.map(({ id, index }) => [id, index]),
  ).toEqual([
    ['llm_0', 0],
    ['llm_1', 1],
    ['llm_2', 2],
  ])
  expect(plan.byId.get('start_0')?.team).toBeUndefined()
})

test('a note in a container is omitted, and a node without its container belongs to the flow', () => {
  const nodes = { start_0: {}, iteration_0: {}, stickyNote_0: {}, llm_0: {} }
  const flow = inside('iteration_0', ['stickyNote_0'], drawFlow(nodes, ['start_0>iteration_0', 'iteration_0>llm_0']))
  inside('gone_0', ['llm_0'], flow)
  const plan = compileFlow(flow, catalogue)
  expect(plan.nodes.map(({ id }) => id)).toEqual(['start_0', 'iteration_0', 'llm_0'])
  expect(plan.byId.get('iteration_0')?.members.get('')?.nodes).toEqual([])
})

test.each([
  [
    'an edge across the border',
    ['start_0>iteration_0', 'llm_0>llm_1', 'iteration_0>llm_1'],
    ['llm_0'],
    'Llm 0: The connection to Llm 1 crosses the border of an iteration. Connect the iteration itself',
  ],
  [
    'the start inside',
    ['iteration_0>llm_1'],
    ['start_0', 'llm_0'],
    'Start 0: The Start node cannot be inside an iteration',
  ],
  [
    'a container in itself',
    ['start_0>llm_1'],
    ['iteration_0'],
    'Iteration 0: It is inside an iteration that contains itself. Move it out',
  ],
])('%s is refused', (_name, arrows, children, message) => {
  const flow = inside('iteration_0', children, drawFlow({ start_0: {}, iteration_0: {}, llm_0: {}, llm_1: {} }, arrows))
  expect(() => compileFlow(flow, catalogue)).toThrow(message)
})

test.each([
  ['nothing', undefined, 'Loop 0: Choose where to loop back'],
  ['a node that is gone', 'gone_0-Gone', 'Loop 0: The node to loop back to no longer exists. Choose another one'],
  [
    'a node in a container',
    'llm_1-Llm 1',
    'Loop 0: Llm 1 is not in the same iteration. Loop back to a node beside this one',
  ],
])('a loop back to %s is refused', (_name, loopBackToNode, message) => {
  const nodes = { start_0: {}, llm_0: {}, loop_0: { loopBackToNode }, iteration_0: {}, llm_1: {} }
  const flow = inside(
    'iteration_0',
    ['llm_1'],
    drawFlow(nodes, ['start_0>llm_0', 'llm_0>loop_0', 'start_0>iteration_0']),
  )
  expect(() => compileFlow(flow, catalogue)).toThrow(message)
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
  const { targets } = compileFlow(drawFlow(nodes, arrows), catalogue)
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

test('the cost of compiling is proportional to the size of the plan', async () => {
  const [small, large] = [looping(800, 80), looping(3_200, 320)]
  const compile = (flow: typeof small) => () => compileFlow(flow, catalogue)
  // Sixteen times as many pairs. Comparing all loops for each node would be 256 times as many.
  expect(await costRatio(compile(small), compile(large), 64)).toBeLessThan(64)
})

test('a flow can have at most 500 loops', () => {
  expect(() => compileFlow(looping(501, 501), catalogue)).toThrow('Flow: There are 501 loops, at most 500 are allowed')
})

test('an error edge is recognized for every node, and the run policy is read', () => {
  const flow = drawFlow({ start_0: {}, condition_0: {}, llm_0: {}, llm_1: {} }, [
    'start_0>condition_0',
    'condition_0>0:llm_0',
    'condition_0>error:llm_1',
  ])
  const condition = flow.nodes.find(({ id }) => id === 'condition_0')
  if (condition) condition.data.runPolicy = { onError: 'branch', retries: 2 }
  const node = compileFlow(flow, catalogue).byId.get('condition_0')
  expect(node?.outgoing.map(({ output }) => output)).toEqual([0, -1])
  expect(node?.policy).toMatchObject({ onError: 'branch', retries: 2, join: 'all', timeoutSeconds: null })
})

const samples = fileURLToPath(new URL('../../../shared/samples/flowise/agentflows', import.meta.url))

test.runIf(existsSync(samples))('sample flows compile, or fail with exactly their unknown nodes', () => {
  for (const file of readdirSync(samples)) {
    const flow = flowDocumentSchema.parse(JSON.parse(readFileSync(`${samples}/${file}`, 'utf8')))
    const unknown = flow.nodes.filter(({ data }) => !catalogue.node(data.name))
    const expected = unknown
      .map(({ data }) => `${data.label}: The node type ${data.name} is not available here`)
      .join('\n')
    if (expected)
      expect(() => compileFlow(flow, catalogue), file).toThrow(expect.objectContaining({ message: expected }))
    else expect(compileFlow(flow, catalogue).nodes.length, file).toBeGreaterThan(1)
  }
})
