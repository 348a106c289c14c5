import { expect, test } from 'vitest'
import type { SandboxRequest } from '../../ports/types.ts'
import { runStep, type StepSetting } from '../testing/steps.ts'
import { customFunction } from './custom-function.ts'

async function call(inputs: Record<string, unknown>, value: unknown, more: StepSetting = {}) {
  const asked: SandboxRequest[] = []
  const sandbox = {
    run: async (request: SandboxRequest) => {
      asked.push(request)
      return { value, logs: [] }
    },
  }
  const { result, events } = await runStep(customFunction, inputs, { sandbox, ...more })
  return { asked: asked[0] as SandboxRequest, result, events }
}

test.each([
  ['a text', 'a text'],
  [{ a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
  [3, '3'],
  [undefined, ''],
  [null, 'null'],
])('a function that returns %j outputs %j', async (value, content) => {
  expect((await call({ customFunctionJavascriptFunction: 'return 1' }, value)).result.output.content).toBe(content)
})

test('state updates of a function get its return value, not its text', async () => {
  const inputs = { customFunctionJavascriptFunction: 'return 1' }
  expect((await call(inputs, [1, 2])).result.value).toEqual([1, 2])
  expect((await call(inputs, 'x')).result.value).toBe('x')
})

test('only the globals that the code mentions are copied into the sandbox', async () => {
  const setting: StepSetting = {
    variables: { v: '1' },
    state: { s: 2 },
    pastHistory: [{ role: 'user', content: 'before' }],
  }
  const none = await call({ customFunctionJavascriptFunction: 'return 1' }, 'x', setting)
  expect(none.asked.globals).toEqual({})
  const all = await call({ customFunctionJavascriptFunction: 'return $input + $vars.v + $flow.state.s' }, 'x', setting)
  expect(all.asked.globals).toMatchObject({
    $input: 'hello',
    $vars: { v: '1' },
    $flow: {
      input: 'hello',
      state: { s: 2 },
      chatflowId: 'flow-1',
      sessionId: 'session-1',
      chatId: 'chat-1',
      chatHistory: [{ content: 'before' }],
    },
  })
})

test('input variables become $name globals, and references in the code are not resolved', async () => {
  const inputs = {
    customFunctionInputVariables: [
      { variableName: 'city', variableValue: 'Bern' },
      { variableName: '$n', variableValue: 3 },
    ],
    customFunctionJavascriptFunction: 'return "{{question}}" + $city',
  }
  const { asked, result } = await call(inputs, 'x')
  expect(asked).toMatchObject({ code: inputs.customFunctionJavascriptFunction, globals: { $city: 'Bern', $n: 3 } })
  expect(result.input).toMatchObject({ code: inputs.customFunctionJavascriptFunction })
})

test.each([
  [{ customFunctionJavascriptFunction: ' ' }, 'JavaScript function is empty'],
  [{ customFunctionInputVariables: [{ variableName: 'a-b', variableValue: 1 }] }, 'Input variable "a-b"'],
  [{ customFunctionInputVariables: [{ variableName: '1a', variableValue: 1 }] }, 'Input variable "1a"'],
  [{ customFunctionInputVariables: [{ variableName: 'flow', variableValue: 1 }] }, 'this name is reserved'],
])('%j is refused', async (inputs, message) => {
  await expect(call({ customFunctionJavascriptFunction: 'return 1', ...inputs }, 'x')).rejects.toThrow(message)
})

test('a function that is the last node streams its output', async () => {
  const inputs = { customFunctionJavascriptFunction: 'return 1' }
  expect((await call(inputs, 'x')).events).toEqual([{ event: 'token', data: 'x' }])
  expect((await call(inputs, 'x', { isLast: false })).events).toEqual([])
})
