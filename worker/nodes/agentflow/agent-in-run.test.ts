/** An agent that asks a person, in a complete run: stopped, its log stored as JSON, and resumed. */
import { expect, test } from 'vitest'
import { run } from '../../engine/run.ts'
import { drawFlow, requestFor } from '../../engine/testing/flows.ts'
import type { OpenComponents, StepRow } from '../../engine/types.ts'
import { ownTools } from '../../tools/testing/own-tools.ts'
import { modelThat, noVectors } from '../testing/steps.ts'

/** A model that calls a tool until it gets a result. */
const model = modelThat(({ prompt }) =>
  prompt.some(({ role }) => role === 'tool') ? ['Paid'] : { calls: [['pay', '{"n":1}']], words: ['May I?'] },
)

let keys: string[] = []
const openComponents: OpenComponents = () => ({
  own: ownTools(),
  model: async () => ({ model, modelName: 'scripted', settings: {} }),
  tools: async () => [
    {
      name: 'pay',
      item: 0,
      description: 'Pays',
      parameters: { type: 'object', properties: { n: { type: 'number' } } },
      hasEffect: true,
      call: async (_args, key) => {
        keys.push(key)
        return 'ok'
      },
    },
  ],
  vectorSearch: noVectors,
  credential: async () => ({}),
})

const agentInputs = {
  agentModel: 'any',
  agentTools: [{ agentSelectedTool: 'pay', agentSelectedToolRequiresHumanInput: true }],
}

/** Runs one attempt on the log of the earlier ones. */
async function attempt(flow: ReturnType<typeof drawFlow>, done: StepRow[]) {
  const request = requestFor(flow, { openComponents, done })
  const outcome = await run(request)
  return { outcome, rows: JSON.parse(JSON.stringify([...done, ...request.rows])) as StepRow[] }
}

/** Adds a person's approval of the open question to the log. */
function allowed(rows: StepRow[], path: string | undefined): StepRow[] {
  const waiting = rows.findLast((row) => row.path === path) as StepRow
  const data = { ...waiting.item.data, answer: { type: 'proceed' as const } }
  return [...rows, { ...waiting, seq: rows.length, item: { ...waiting.item, data } }]
}

test('an agent asks for approval, waits, and continues from its saved state', async () => {
  keys = []
  const flow = drawFlow({ start_0: {}, agent_0: agentInputs }, ['start_0>agent_0'])
  const first = await attempt(flow, [])
  expect(first.outcome).toMatchObject({ state: 'STOPPED', waiting: 1, action: { data: { path: 'agent_0' } } })
  expect(first.outcome.text).toContain('"name": "pay"')
  const { outcome } = await attempt(flow, allowed(first.rows, 'agent_0'))
  expect(outcome).toMatchObject({ state: 'FINISHED', text: 'Paid', totalTokens: 24 })
  expect(keys).toEqual(['execution-1:agent_0-pay-0'])
})

test('an agent in an iteration asks for approval once per item', async () => {
  keys = []
  const flow = drawFlow({ start_0: {}, iteration_0: { iterationInput: '["a","b"]' }, agent_0: agentInputs }, [
    'start_0>iteration_0',
  ])
  for (const node of flow.nodes) if (node.id === 'agent_0') Object.assign(node, { parentNode: 'iteration_0' })
  let { outcome, rows } = await attempt(flow, [])
  const asked: (string | undefined)[] = []
  while (outcome.state === 'STOPPED' && asked.length < 5) {
    const path = outcome.action?.data.path
    asked.push(path)
    ;({ outcome, rows } = await attempt(flow, allowed(rows, path)))
  }
  expect(asked).toEqual(['agent_0@iteration_0[0]', 'agent_0@iteration_0[1]'])
  expect(outcome).toMatchObject({ state: 'FINISHED', text: 'Paid\nPaid' })
  expect(keys).toEqual(['execution-1:agent_0@iteration_0[0]-pay-0', 'execution-1:agent_0@iteration_0[1]-pay-0'])
})
