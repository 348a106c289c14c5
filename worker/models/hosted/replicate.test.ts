import { expect, it } from 'vitest'
import type { ModelMessage } from '../messages.ts'
import { buildPrompt } from '../messages.ts'
import { scriptedProvider } from '../testing/provider.ts'
import { huggingFaceInference } from './hugging-face-inference.ts'
import { replicate } from './replicate.ts'

const version = 'a'.repeat(64)
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

async function ask(model: string, ...answers: Response[]) {
  const { egress, sent } = scriptedProvider(...answers)
  const config = { model, temperature: '0.5', maxTokens: 20, additionalInputs: '{"top_k":3}' }
  const open = await replicate.open({ config, credential: { replicateApiKey: 'r8' }, egress })
  const messages: ModelMessage[] = [
    { role: 'system', content: 'Be brief' },
    { role: 'user', content: 'Hi' },
  ]
  const answer = open.model.doGenerate({ prompt: buildPrompt(messages) })
  return { answer, sent }
}

it('asks a version of a model, and goes on asking until it has answered', async () => {
  const { answer, sent } = await ask(
    `owner/llama:${version}`,
    json({ id: 'p1', status: 'processing' }, 201),
    json({
      id: 'p1',
      status: 'succeeded',
      output: ['Hel', 'lo'],
      metrics: { input_token_count: 5, output_token_count: 2 },
    }),
  )
  expect(await answer).toMatchObject({
    content: [{ type: 'text', text: 'Hello' }],
    usage: { inputTokens: { total: 5 }, outputTokens: { total: 2 } },
  })
  expect(sent.map(({ url }) => url)).toEqual([
    'https://api.replicate.com/v1/predictions',
    'https://api.replicate.com/v1/predictions/p1',
  ])
  expect(sent[0]?.body).toMatchObject({
    version,
    input: { prompt: 'Be brief\n\nHuman: Hi\n\nAssistant:', temperature: 0.5, max_tokens: 20, top_k: 3 },
  })
})

it.each([
  ['its own error', json({ id: 'p', status: 'failed', error: 'CUDA out of memory' }), 'CUDA out of memory'],
  ['a refusal', json({ detail: 'Invalid token.' }, 401), 'Replicate answered 401: Invalid token.'],
])('fails with %s', async (_, response, message) => {
  const { answer } = await ask('owner/llama', response)
  await expect(answer).rejects.toThrow(message)
})

it('refuses names that are none', async () => {
  await expect(ask('../../x')).rejects.toThrow('a model is named like')
})

it('opens an endpoint of one’s own on Hugging Face', async () => {
  const { egress, sent } = scriptedProvider(json({ error: 'no' }, 400))
  const config = { endpoint: 'https://mine.endpoints.huggingface.cloud/v1' }
  const open = await huggingFaceInference.open({ config, credential: { huggingFaceApiKey: 'hf' }, egress })
  await expect(open.model.doGenerate({ prompt: buildPrompt([{ role: 'user', content: 'Hi' }]) })).rejects.toThrow()
  expect(sent[0]?.url).toBe('https://mine.endpoints.huggingface.cloud/v1/chat/completions')
})
