import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, it } from 'vitest'
import { chatOpenAICustom } from '../chat-openai-custom.ts'
import { buildPrompt } from '../messages.ts'
import { scriptedProvider } from '../testing/provider.ts'
import { readParts } from '../testing/read-parts.ts'
import { wire } from '../testing/wire.ts'
import { createWriter } from './write-requests.ts'

const options = {
  prompt: buildPrompt([{ role: 'user', content: 'Hello?' }]),
  temperature: 0.5,
  tools: [{ type: 'function' as const, name: 'add', inputSchema: { type: 'object' as const, properties: {} } }],
}

async function sentBy(server: string, openAIApiKey: string, modelName: string) {
  const { egress, sent } = scriptedProvider(wire.openAI.text())
  const config = { modelName, basepath: `https://${server}/v1/`, baseOptions: { 'x-server': server } }
  const { model } = await chatOpenAICustom.open({ config, credential: { openAIApiKey }, egress })
  await readParts((await model.doStream(options)).stream)
  return sent[0]
}

async function writtenAnew(server: string, apiKey: string, modelName: string) {
  const { egress, sent } = scriptedProvider(wire.openAI.text())
  const model = createOpenAICompatible({
    name: 'openai',
    baseURL: `https://${server}/v1`,
    apiKey,
    headers: { 'x-server': server },
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: egress.fetch as typeof fetch,
  }).chatModel(modelName)
  await readParts((await model.doStream(options)).stream)
  return sent[0]
}

describe('a request', () => {
  it('is the same as that of a model of its own, however many are written at once', async () => {
    const calls: [server: string, apiKey: string, modelName: string][] = [
      ['a.example.com', 'sk-a', 'llama'],
      ['b.example.com', 'sk-b', 'llama'],
      ['a.example.com', 'sk-c', 'qwen'],
    ]
    const sent = await Promise.all(calls.map((call) => sentBy(...call)))
    expect(sent).toEqual(await Promise.all(calls.map((call) => writtenAnew(...call))))
    expect(sent[1]).toMatchObject({ url: 'https://b.example.com/v1/chat/completions', body: { model: 'llama' } })
    expect(sent[1]?.headers).toMatchObject({ authorization: 'Bearer sk-b', 'x-server': 'b.example.com' })
  })

  it('opens the model of a name once, and keeps only so many', async () => {
    const opened: string[] = []
    const write = createWriter((modelId, fetch) => {
      opened.push(modelId)
      return createOpenAICompatible({ name: 'openai', baseURL: 'https://unused.invalid', fetch }).chatModel(modelId)
    })
    for (const name of ['a', 'a', 'b', 'a']) await write(name, options)
    expect(opened).toEqual(['a', 'b'])
    for (let model = 0; model < 100; model++) await write(`m${model}`, options)
    await write('a', options)
    expect(opened.filter((name) => name === 'a')).toHaveLength(2)
  })
})
