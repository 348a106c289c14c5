import { expect, it } from 'vitest'
import type { HumanInputAction, StepStatus, TraceData } from '#contract/runs/events.ts'
import type { StepRow } from '../engine/types.ts'
import {
  answerRow,
  answerText,
  executionOfAction,
  findPendingInput,
  pendingInputs,
  wasAnswered,
} from './pending-inputs.ts'

const action = (id: string, nodeId: string): HumanInputAction => ({
  id,
  mapping: { approve: 'Proceed', reject: 'Reject' },
  elements: [],
  data: { nodeId, nodeLabel: nodeId, path: nodeId, input: { humanInputEnableFeedback: true } },
})

function row(seq: number, path: string, status: StepStatus, data: Partial<TraceData> = {}): StepRow {
  const full = { id: path, name: path, ...data }
  return {
    seq,
    path,
    nodeId: path.split('#')[0] as string,
    takenOutputs: null,
    item: { nodeId: path, nodeLabel: path, previousNodeIds: [], status, data: full },
    startedAt: 'a',
    finishedAt: 'b',
  }
}

const asks = (seq: number, path: string, id: string) =>
  row(seq, path, 'STOPPED', { kept: id, output: { humanInputAction: action(id, path) } })

const first = asks(1, 'ask_0', 'run:ask_0:0')
const second = asks(2, 'ask_1', 'run:ask_1:0')
const log = [row(0, 'start_0', 'FINISHED'), first, second]
const answered = (steps: StepRow[], id: string) => {
  const wait = findPendingInput(steps, { actionId: id })
  if (!wait) throw new Error(`${id} does not wait`)
  return [...steps, answerRow(wait, { type: 'proceed' }, { seq: steps.length, now: 'c' })]
}
const idsOf = (steps: StepRow[]) => pendingInputs(steps).map(({ action }) => action.id)

it('returns questions that have no answer and were not replaced by a later round', () => {
  expect(idsOf(log)).toEqual(['run:ask_0:0', 'run:ask_1:0'])
  const one = answered(log, 'run:ask_0:0')
  expect(idsOf(one)).toEqual(['run:ask_1:0'])
  expect(idsOf([...one, row(4, 'ask_0', 'FINISHED')])).toEqual(['run:ask_1:0'])
  expect(idsOf([...one, asks(4, 'ask_0', 'run:ask_0:1')])).toEqual(['run:ask_0:1', 'run:ask_1:0'])
})

it.each([
  [{ actionId: 'run:ask_1:0' }, 'run:ask_1:0'],
  [{ actionId: 'run:ask_9:0' }, undefined],
  [{ startNodeId: 'ask_1' }, 'run:ask_1:0'],
  [{ startNodeId: 'ask_9' }, undefined],
  [{ first: 'run:ask_1:0' }, 'run:ask_1:0'],
  [{ first: 'gone' }, 'run:ask_0:0'],
  [{}, 'run:ask_0:0'],
])('finds the question for %j', (asked, id) => {
  expect(findPendingInput(log, asked)?.action.id).toBe(id)
})

it('tells which questions were answered', () => {
  const one = answered(log, 'run:ask_0:0')
  expect(wasAnswered(log, {})).toBe(false)
  expect(wasAnswered(one, {})).toBe(true)
  expect(wasAnswered(one, { actionId: 'run:ask_0:0' })).toBe(true)
  expect(wasAnswered(one, { actionId: 'run:ask_1:0' })).toBe(false)
  expect(wasAnswered(one, { startNodeId: 'ask_1' })).toBe(false)
})

it('keeps the data of the step in its answer', () => {
  expect(answered(log, 'run:ask_0:0').at(-1)).toMatchObject({
    seq: 3,
    path: 'ask_0',
    item: { status: 'STOPPED', data: { kept: 'run:ask_0:0', answer: { type: 'proceed' } } },
  })
})

it.each([
  [{ type: 'proceed' as const }, 'Proceed'],
  [{ type: 'reject' as const, feedback: ' ' }, 'Reject'],
  [{ type: 'reject' as const, feedback: 'Too dear' }, 'Too dear'],
])('takes %j for words', (answer, words) => expect(answerText(answer, action('x', 'y'))).toBe(words))

it('reads the run id from an action id', () => expect(executionOfAction('run:ask_0:0')).toBe('run'))
