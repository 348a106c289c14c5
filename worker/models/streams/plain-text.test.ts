import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, it } from 'vitest'
import { buildPrompt } from '../messages.ts'
import type { ModelFetch } from '../model-fetch.ts'
import { readPlainText } from './plain-text.ts'
import { readingAnswers } from './read-answers.ts'

const usage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 3 },
}
const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }
const answering = (message: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  created: 1760000000,
  model: 'model-1',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more }],
  usage,
})

const plain: [what: string, answer: object][] = [
  ['a text', answering({ content: 'Hello' })],
  ['a text beside empty fields', answering({ content: 'Hello', refusal: null, annotations: [], tool_calls: null })],
  ['a text that was cut off', answering({ content: 'Hel' }, { finish_reason: 'length' })],
  ['a text that ends for a reason of its own', answering({ content: 'Hello' }, { finish_reason: 'made_up' })],
  [
    'a text with the least usage',
    { ...answering({ content: 'Hello' }), usage: { prompt_tokens: 1, completion_tokens: 2 } },
  ],
]

const others: [what: string, answer: object][] = [
  ['a call of a tool', answering({ content: null, tool_calls: [call] }, { finish_reason: 'tool_calls' })],
  ['a text and a call', answering({ content: 'Well', tool_calls: [call] }, { finish_reason: 'tool_calls' })],
  ['a thought', answering({ content: 'Hello', reasoning_content: 'Hm' })],
  ['no text', answering({ content: '' })],
  ['half of the usage', { ...answering({ content: 'Hello' }), usage: { prompt_tokens: 1 } }],
  ['no usage', { ...answering({ content: 'Hello' }), usage: null }],
  ['no reason', answering({ content: 'Hello' }, { finish_reason: null })],
]

async function readBoth(answer: object) {
  const open = (fetch: ModelFetch) =>
    createOpenAICompatible({ name: 'openai', baseURL: 'https://models.example.com/v1', fetch }).chatModel('m')
  const send: ModelFetch = async () => Response.json(answer)
  const models = [readingAnswers(open, { send, modelId: 'm' }), open(send)]
  const options = { prompt: buildPrompt([{ role: 'user', content: 'Hello?' }]) }
  const read = await Promise.all(models.map((model) => model.doGenerate(options)))
  return read.map(({ content, finishReason, usage: { inputTokens, outputTokens } }) => ({
    content,
    finishReason,
    inputTokens,
    outputTokens,
  }))
}

describe('an answer that comes at once', () => {
  it.each([...plain, ...others])('%s is read as the SDK reads it', async (_, answer) => {
    const [ours, theirs] = await readBoth(answer)
    expect(ours).toEqual(theirs)
  })

  it.each(plain)('%s is read without the SDK', (_, answer) => {
    expect(readPlainText(JSON.stringify(answer))).toBeDefined()
  })

  it.each([
    ...others,
    ['a list', []] as const,
    ['an error', { error: { message: 'No' }, ...answering({ content: 'a' }) }] as const,
  ])('%s is left to the SDK', (_, answer) => {
    expect(readPlainText(JSON.stringify(answer))).toBeUndefined()
  })

  it('that is no JSON is left to the SDK', () => {
    expect(readPlainText('<html>')).toBeUndefined()
  })
})
