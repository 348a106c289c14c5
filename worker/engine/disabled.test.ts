import { expect, test } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { StepContext, StepResult } from '../nodes/types.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, nodeType, requestFor } from './testing/flows.ts'

const say = (content: string): StepResult => ({ input: {}, output: { content } })

const refs = { inputs: [{ label: 'Refs', name: 'refs', type: 'string', acceptVariable: true }] }

/** Runs the flow with these nodes disabled. `calls` lists the nodes that ran. */
async function runWithout(
  flow: FlowDocument,
  disabled: string[],
  behaviours: Record<string, (context: StepContext) => StepResult> = {},
) {
  const calls: string[] = []
  const behave = (context: StepContext): StepResult => {
    calls.push(context.node.id)
    return behaviours[context.node.id]?.(context) ?? say(`${context.node.id}: ${context.inputs.refs ?? ''}`)
  }
  const twoWays = { outputs: ['0', '1'].map((name) => ({ label: name, name })) }
  const nodes = flow.nodes.map((node) =>
    disabled.includes(node.id) ? { ...node, data: { ...node.data, disabled: true } } : node,
  )
  const request = requestFor({ ...flow, nodes })
  const types = ['start', 'step', 'loop', 'iteration'].map((name) => nodeType(name, behave, refs))
  const outcome = await createRun(catalogueOf(...types, nodeType('choose', behave, twoWays)))(request)
  return { calls, outcome, request }
}

const chain = drawFlow({ start_0: {}, step_0: {}, step_1: {}, step_2: { refs: '{{step_1}}' } }, [
  'start_0>step_0',
  'step_0>step_1',
  'step_1>step_2',
])

test('a disabled node does not run, and what arrived goes on', async () => {
  const { calls, outcome } = await runWithout(chain, ['step_1'])
  expect(calls).toEqual(['start_0', 'step_0', 'step_2'])
  expect(outcome).toMatchObject({ state: 'FINISHED', text: 'step_2: step_0: ' })
})

test('its step is marked in the trace, without the costs and files of the step before', async () => {
  const { request } = await runWithout(chain, ['step_1'], {
    step_0: ({ charge }) => {
      const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
      charge(usage)
      return {
        input: {},
        output: { content: 'first', key: 1, artifacts: [{ type: 'png', data: 'x' }] },
        state: { a: 1 },
      }
    },
  })
  const [marked, ...others] = request.rows.filter(({ item }) => item.data.disabled)
  expect(others).toEqual([])
  expect(marked?.path).toBe('step_1')
  expect(marked?.item).toMatchObject({ status: 'FINISHED', previousNodeIds: ['step_0'], data: { state: { a: 1 } } })
  expect(marked?.item.data.output).toEqual({ content: 'first', key: 1 })
})

test('the node before a disabled end is the last one, whose answer the run returns', async () => {
  const last: boolean[] = []
  const { outcome } = await runWithout(chain, ['step_1', 'step_2'], {
    step_0: ({ isLast }) => {
      last.push(isLast)
      return say('the answer')
    },
  })
  expect(outcome.text).toBe('the answer')
  expect(last).toEqual([true])
})

test('a disabled node that decides takes its first output', async () => {
  const flow = drawFlow({ start_0: {}, choose_0: {}, step_0: {}, step_1: {} }, [
    'start_0>choose_0',
    'choose_0>0:step_0',
    'choose_0>1:step_1',
  ])
  const { calls } = await runWithout(flow, ['choose_0'])
  expect(calls).toEqual(['start_0', 'step_0'])
})

test('a disabled node where branches meet passes the texts of all on', async () => {
  const flow = drawFlow({ start_0: {}, step_0: {}, step_1: {}, step_2: {}, step_3: { refs: '{{step_2}}' } }, [
    'start_0>step_0',
    'start_0>step_1',
    'step_0>step_2',
    'step_1>step_2',
    'step_2>step_3',
  ])
  const { outcome } = await runWithout(flow, ['step_2'], { step_0: () => say('one'), step_1: () => say('two') })
  expect(outcome.text).toBe('step_3: one\n\ntwo')
})

test('a disabled Loop does not go back', async () => {
  const flow = drawFlow({ start_0: {}, step_0: {}, loop_0: { loopBackToNode: 'step_0-Step 0' } }, [
    'start_0>step_0',
    'step_0>loop_0',
  ])
  const { calls, outcome } = await runWithout(flow, ['loop_0'], { loop_0: () => ({ ...say(''), jumpTo: 'step_0' }) })
  expect(calls).toEqual(['start_0', 'step_0'])
  expect(outcome.state).toBe('FINISHED')
})

test('what lies in a disabled container is skipped with it', async () => {
  const drawn = drawFlow({ start_0: {}, iteration_0: {}, step_0: {}, step_1: {} }, [
    'start_0>iteration_0',
    'iteration_0>step_1',
  ])
  const nodes = drawn.nodes.map((node) => (node.id === 'step_0' ? { ...node, parentNode: 'iteration_0' } : node))
  const { calls } = await runWithout({ ...drawn, nodes }, ['iteration_0'])
  expect(calls).toEqual(['start_0', 'step_1'])
})

test('a run that continues takes the skipped step from its log', async () => {
  const first = await runWithout(chain, ['step_1'])
  const done = first.request.rows.slice(0, 3)
  const request = requestFor(first.request.flow, { done })
  const calls: string[] = []
  const behave = (context: StepContext): StepResult => {
    calls.push(context.node.id)
    return say(String(context.inputs.refs))
  }
  const outcome = await createRun(catalogueOf(nodeType('start', behave), nodeType('step', behave, refs)))(request)
  expect(calls).toEqual(['step_2'])
  expect(outcome.text).toBe('step_0: ')
})
