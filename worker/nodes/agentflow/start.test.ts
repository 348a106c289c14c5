import { expect, test } from 'vitest'
import { runStep } from '../testing/steps.ts'
import { start } from './start.ts'

const startState = [
  { key: 'a', value: '1' },
  { key: 'b', value: undefined },
  { key: '', value: 'x' },
]

test('the Start node outputs the message', async () => {
  const { result } = await runStep(start, { startInputType: 'chatInput', startState })
  expect(result).toEqual({ input: { question: 'hello' }, output: { question: 'hello' }, state: { a: '1', b: '' } })
})

test('the Start node outputs the form, or its text', async () => {
  const inputs = { startInputType: 'formInput', formTitle: 'T', formInputTypes: [{ name: 'city' }] }
  const form = { city: 'Bern' }
  const { result } = await runStep(start, inputs, { input: { form, history: [], text: 'city: Bern' } })
  expect(result).toMatchObject({ input: { form: { title: 'T', inputs: [{ name: 'city' }] } }, output: { form } })
  expect((await runStep(start, inputs)).result.output.form).toBe('hello')
})

test('state carried into the run overrides the initial state', async () => {
  const flags = { startPersistState: true, startEphemeralMemory: true }
  const { result } = await runStep(start, { startState, ...flags }, { state: { a: 'kept', c: 'more' } })
  expect(result.state).toEqual({ a: 'kept', b: '', c: 'more' })
  expect(result.output).toMatchObject({ persistState: true, ephemeralMemory: true })
})

const webhook = { body: { n: 1 }, headers: { 'x-id': '7' }, query: {} }

test.each([
  ['webhookTrigger', { webhook, question: 'n is 1' }],
  ['webhookTrigger', { webhook }],
  ['webhookTrigger', { webhook, question: ' ' }],
  ['scheduleInput', { question: 'Report' }],
  ['scheduleInput', { question: ' ' }],
  ['scheduleInput', { form: { city: 'Bern' } }],
])('%s outputs its input %j', async (startInputType, given) => {
  const { result } = await runStep(start, { startInputType }, { input: { ...given, history: [], text: 'x' } })
  expect(result).toMatchObject({ input: given, output: given })
  expect(Object.keys(result.output)).toEqual(Object.keys(given))
})

test('the error names an unknown input type', async () => {
  await expect(runStep(start, { startInputType: 'telepathy' })).rejects.toThrow('"telepathy" does not exist')
})
