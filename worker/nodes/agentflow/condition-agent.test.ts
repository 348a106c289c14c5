import { describe, expect, test } from 'vitest'
import { runStep, scriptedModel, toldTo } from '../testing/steps.ts'
import { conditionAgent, matchScenario } from './condition-agent.ts'

const scenarios = ['User asks for a refund', 'User looks for an item', 'Anything else']
const inputs = {
  conditionAgentInstructions: 'Be kind',
  conditionAgentInput: 'my money back',
  conditionAgentScenarios: scenarios.map((scenario) => ({ scenario })),
}
const says = (output: unknown) => [JSON.stringify({ output })]

describe('matching an answer to a scenario', () => {
  test.each([
    ['User looks for an item', 1],
    ['  user LOOKS for an item ', 1],
    ['User looks', 1],
    ['refund', 0],
    ['I think: user looks for an item.', 1],
    ['weather', 2],
  ])('finds the scenario of “%s”', (answer, index) => {
    expect(matchScenario(answer, scenarios)).toBe(index)
  })

  test('prefers the strictest rule over the order of scenarios', () => {
    expect(matchScenario('ask', ['asking again', 'ask'])).toBe(1)
    expect(matchScenario('b', ['a b', 'b c'])).toBe(1)
  })

  test('never matches an empty scenario', () => {
    expect(matchScenario('weather', ['', 'x', 'y'])).toBe(2)
  })
})

test('a condition agent takes one output and records which', async () => {
  const model = scriptedModel(says(scenarios[1]))
  const { result, events } = await runStep(conditionAgent, inputs, { model })
  expect(result.takenOutputs).toEqual([1])
  expect(result.output).toMatchObject({
    conditions: [
      { output: scenarios[0], isFulfilled: false },
      { output: scenarios[1], isFulfilled: true },
      { output: scenarios[2], isFulfilled: false },
    ],
    content: JSON.stringify({ output: scenarios[1] }),
    usageMetadata: { total_tokens: 12 },
  })
  expect(result.chatHistory).toEqual([{ role: 'user', content: 'hello' }])
  expect(events).toEqual([])
})

test('the model gets the instructions, an example, the conversation and the possible answers', async () => {
  const model = scriptedModel(says(scenarios[0]))
  const past = [{ role: 'user' as const, content: 'earlier' }]
  const { result } = await runStep(conditionAgent, inputs, { model, pastHistory: past, runtimeHistory: past })
  const told = toldTo(model)
  expect(told.map((line) => line.split(':')[0])).toEqual(['system', 'user', 'assistant', 'user', 'user', 'user'])
  expect(told.at(-1)).toContain('my money back')
  expect(told.at(-1)).toContain('Be kind')
  expect(model.calls[0]?.responseFormat).toMatchObject({
    schema: { properties: { output: { enum: scenarios } } },
  })
  expect(result).not.toHaveProperty('chatHistory')
})

test.each([
  [{ conditionAgentEnableMemory: false }, []],
  [{ conditionAgentMemoryType: 'windowSize', conditionAgentMemoryWindowSize: '1' }, ['user: c', 'assistant: d']],
])('memory %j', async (memory, remembered) => {
  const model = scriptedModel(says('refund'))
  const turns = ['a', 'b', 'c', 'd'].map((content, index) => ({
    role: index % 2 ? ('assistant' as const) : ('user' as const),
    content,
  }))
  await runStep(conditionAgent, { ...inputs, ...memory }, { model, pastHistory: turns })
  expect(toldTo(model).slice(3, -1)).toEqual(remembered)
})

test('a custom system prompt replaces the default', async () => {
  const prompt = { conditionAgentOverrideSystemPrompt: true, conditionAgentSystemPrompt: 'Choose!' }
  const model = scriptedModel(says('refund'))
  await runStep(conditionAgent, { ...inputs, ...prompt }, { model })
  expect(toldTo(model)[0]).toBe('system: Choose!')
  const off = scriptedModel(says('refund'))
  await runStep(conditionAgent, { ...inputs, ...prompt, conditionAgentOverrideSystemPrompt: false }, { model: off })
  expect(toldTo(off)[0]).not.toContain('Choose!')
})

describe('an unreadable answer', () => {
  test.each([
    ['prose', 'The second one'],
    ['another shape', '{"choice": "x"}'],
    ['nothing', '{"output": " "}'],
  ])('with %s is sent back to the model once', async (_name, bad) => {
    const model = scriptedModel([bad], ['```json\n{"output":"refund"}\n```'])
    const { result } = await runStep(conditionAgent, inputs, { model })
    expect(result.takenOutputs).toEqual([0])
    expect(result.output.usageMetadata?.total_tokens).toBe(24)
    expect(toldTo(model, 1).at(-1)).toContain('Your answer is invalid')
  })

  test('fails the step the second time', async () => {
    const model = scriptedModel(['no'])
    await expect(runStep(conditionAgent, inputs, { model })).rejects.toThrow(
      "The model's choice could not be read: it is not JSON",
    )
    expect(model.calls).toHaveLength(2)
  })
})

test('a condition agent without scenarios fails before calling the model', async () => {
  const model = scriptedModel(says('x'))
  await expect(runStep(conditionAgent, { conditionAgentScenarios: [{ scenario: ' ' }] }, { model })).rejects.toThrow(
    'Scenarios are empty',
  )
  expect(model.calls).toEqual([])
})
