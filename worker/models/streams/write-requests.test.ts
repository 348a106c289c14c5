import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, it } from 'vitest'
import { chatOpenAICustom } from '../chat-openai-custom.ts'
import { buildPrompt } from '../messages.ts'
import { scriptedProvider } from '../testing/provider.ts'
import { readParts } from '../testing/read-parts.ts'
import { wire } from '../testing/wire.ts'
import type { ChatModel } from '../types.ts'
import { createWriter } from './write-requests.ts'

const options = {
  prompt: buildPrompt([{ role: 'user', content: 'Hello?' }]),
  temperature: 0.5,
  tools: [{ type: 'function' as const, name: 'add', inputSchema: { type: 'object' as const, properties: {} } }],
}

interface Call {
  server: string
  apiKey: string
  modelName: string
  isStreamed?: boolean
}

const answer = (isStreamed: boolean | undefined) =>
  isStreamed ? wire.openAI.text() : Response.json({ choices: [{ message: { role: 'assistant', content: 'Hi' } }] })
const ask = async (model: ChatModel, isStreamed: boolean | undefined) =>
  isStreamed ? readParts((await model.doStream(options)).stream) : model.doGenerate(options)

async function sentBy({ server, apiKey: openAIApiKey, modelName, isStreamed }: Call) {
  const { egress, sent } = scriptedProvider(answer(isStreamed))
  const config = { modelName, basepath: `https://${server}/v1/`, baseOptions: { 'x-server': server } }
  const { model } = await chatOpenAICustom.open({ config, credential: { openAIApiKey }, egress })
  await ask(model, isStreamed)
  return sent[0]
}

async function writtenAnew({ server, apiKey, modelName, isStreamed }: Call) {
  const { egress, sent } = scriptedProvider(answer(isStreamed))
  const model = createOpenAICompatible({
    name: 'openai',
    baseURL: `https://${server}/v1`,
    apiKey,
    headers: { 'x-server': server },
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: egress.fetch as typeof fetch,
  }).chatModel(modelName)
  await ask(model, isStreamed)
  return sent[0]
}

describe('a request', () => {
  it('is the same as that of a model of its own, however many are written at once', async () => {
    const calls: Call[] = [
      { server: 'a.example.com', apiKey: 'sk-a', modelName: 'llama', isStreamed: true },
      { server: 'b.example.com', apiKey: 'sk-b', modelName: 'llama', isStreamed: true },
      { server: 'a.example.com', apiKey: 'sk-c', modelName: 'qwen', isStreamed: true },
      { server: 'a.example.com', apiKey: 'sk-a', modelName: 'llama' },
    ]
    const sent = await Promise.all(calls.map(sentBy))
    expect(sent).toEqual(await Promise.all(calls.map(writtenAnew)))
    expect(sent.map((request) => request?.body.stream)).toEqual([true, true, true, undefined])
    expect(sent[1]).toMatchObject({ url: 'https://b.example.com/v1/chat/completions', body: { model: 'llama' } })
    expect(sent[1]?.headers).toMatchObject({ authorization: 'Bearer sk-b', 'x-server': 'b.example.com' })
  })

  it('opens the model of a name once, and keeps only so many', async () => {
    const opened: string[] = []
    const write = createWriter((modelId, fetch) => {
      opened.push(modelId)
      return createOpenAICompatible({ name: 'openai', baseURL: 'https://unused.invalid', fetch }).chatModel(modelId)
    })
    for (const name of ['a', 'a', 'b', 'a']) await write(name, options, true)
    expect(opened).toEqual(['a', 'b'])
    for (let model = 0; model < 100; model++) await write(`m${model}`, options, true)
    await write('a', options, true)
    expect(opened.filter((name) => name === 'a')).toHaveLength(2)
  })
})
