import { expect, test } from 'vitest'
import { runStep } from '../testing.ts'
import { start } from './start.ts'

const startState = [
  { key: 'a', value: '1' },
  { key: 'b', value: undefined },
  { key: '', value: 'x' },
]

test('a message', async () => {
  const { result } = await runStep(start, { startInputType: 'chatInput', startState })
  expect(result).toEqual({ input: { question: 'hello' }, output: { question: 'hello' }, state: { a: '1', b: '' } })
})

test('a form, or the text of one', async () => {
  const inputs = { startInputType: 'formInput', formTitle: 'T', formInputTypes: [{ name: 'city' }] }
  const form = { city: 'Bern' }
  const { result } = await runStep(start, inputs, { input: { form, history: [], text: 'city: Bern' } })
  expect(result).toMatchObject({ input: { form: { title: 'T', inputs: [{ name: 'city' }] } }, output: { form } })
  expect((await runStep(start, inputs)).result.output.form).toBe('hello')
})

test('what the caller carries into the run goes before the state at the beginning', async () => {
  const flags = { startPersistState: true, startEphemeralMemory: true }
  const { result } = await runStep(start, { startState, ...flags }, { state: { a: 'kept', c: 'more' } })
  expect(result.state).toEqual({ a: 'kept', b: '', c: 'more' })
  expect(result.output).toMatchObject({ persistState: true, ephemeralMemory: true })
})

test.each([
  ['webhookTrigger', 'started by a webhook'],
  ['scheduleInput', 'started by a schedule'],
  ['telepathy', 'Input Type "telepathy" is not known'],
])('%s cannot be started by a chat', async (startInputType, message) => {
  await expect(runStep(start, { startInputType })).rejects.toThrow(message)
})
