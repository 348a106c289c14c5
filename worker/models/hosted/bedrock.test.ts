import { APICallError } from '@ai-sdk/provider'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { describe, expect, it } from 'vitest'
import { models } from '../index.ts'
import { buildPrompt } from '../messages.ts'
import { scriptedProvider } from '../testing/provider.ts'
import { readParts } from '../testing/read-parts.ts'
import type { ModelTool } from '../types.ts'

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes as Uint8Array)),
  (text) => new TextEncoder().encode(text),
)

/** The frames of ConverseStream. @param cut bytes of each piece that arrives */
function converse(events: [type: string, payload: object][], cut = 7): Response {
  const frames = events.map(([type, payload]) =>
    codec.encode({
      headers: {
        ':event-type': { type: 'string', value: type },
        ':content-type': { type: 'string', value: 'application/json' },
        ':message-type': { type: 'string', value: 'event' },
      },
      body: new TextEncoder().encode(JSON.stringify(payload)),
    }),
  )
  const bytes = new Uint8Array(Buffer.concat(frames))
  const pieces = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, index) =>
    bytes.slice(index * cut, (index + 1) * cut),
  )
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/vnd.amazon.eventstream' } })
}

const delta = (value: object) => ['contentBlockDelta', { contentBlockIndex: 0, delta: value }] as [string, object]
const end = (stopReason: string): [string, object][] => [
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ['messageStop', { stopReason }],
  ['metadata', { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 }, metrics: { latencyMs: 5 } }],
]
const start: [string, object] = ['messageStart', { role: 'assistant' }]

const add: ModelTool = {
  type: 'function',
  name: 'add',
  description: 'Adds',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
}

const account = { awsKey: 'AKIA1', awsSecret: 'secret-1', awsSession: 'session-1' }

async function ask(config: object, answer: Response, credential: Record<string, unknown> = account) {
  const { egress, sent } = scriptedProvider(answer)
  const provider = models.find(({ definition }) => definition.name === 'awsChatBedrock')
  if (!provider) throw new Error('There is no Bedrock')
  const opened = await provider.open({ config: { ...config }, credential, egress })
  const prompt = buildPrompt([{ role: 'user', content: 'Say hello' }])
  const { stream } = await opened.model.doStream({ ...opened.settings, prompt, tools: [add] })
  return { sent, parts: await readParts(stream) }
}

const nova = { model: 'amazon.nova-lite-v1:0', region: 'eu-west-1', temperature: 0.5, max_tokens_to_sample: 50 }

describe('Bedrock', () => {
  it('streams text with usage, in a request that is signed for the region', async () => {
    const { sent, parts } = await ask(
      nova,
      converse([start, delta({ text: 'Hel' }), delta({ text: 'lo' }), ...end('end_turn')]),
    )
    expect(parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])).join('')).toBe('Hello')
    expect(parts.at(-1)).toMatchObject({ usage: { inputTokens: { total: 11 }, outputTokens: { total: 7 } } })
    expect(sent[0]?.url).toBe(
      'https://bedrock-runtime.eu-west-1.amazonaws.com/model/amazon.nova-lite-v1%3A0/converse-stream',
    )
    const { authorization, 'x-amz-security-token': session } = sent[0]?.headers ?? {}
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIA1\/\d{8}\/eu-west-1\/bedrock\/aws4_request, .*Signature=[0-9a-f]{64}$/,
    )
    expect(session).toBe('session-1')
    expect(sent[0]?.body).toMatchObject({ inferenceConfig: { maxTokens: 50, temperature: 0.5 } })
  })

  it('calls tools', async () => {
    const toolUse = { toolUseId: 'call-1', name: 'add' }
    const { parts } = await ask(
      nova,
      converse([
        start,
        ['contentBlockStart', { contentBlockIndex: 0, start: { toolUse } }],
        delta({ toolUse: { input: '{"a":' } }),
        delta({ toolUse: { input: '1}' } }),
        ...end('tool_use'),
      ]),
    )
    expect(parts.filter(({ type }) => type === 'tool-call')).toMatchObject([{ toolName: 'add', input: '{"a":1}' }])
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
  })

  it.each([
    [
      'anthropic.claude-haiku-4-5-20251001-v1:0',
      { region: 'ap-south-1' },
      'apac.anthropic.claude-haiku-4-5-20251001-v1:0',
    ],
    [
      'anthropic.claude-haiku-4-5-20251001-v1:0',
      { useGlobalEndpoint: true },
      'global.anthropic.claude-haiku-4-5-20251001-v1:0',
    ],
    ['us.amazon.nova-pro-v1:0', { useGlobalEndpoint: true }, 'us.amazon.nova-pro-v1:0'],
    ['my-own-model', {}, 'my-own-model'],
  ])('asks for %s with %j by the name %s', async (model, config, name) => {
    const { sent } = await ask({ ...config, model }, converse([start, delta({ text: 'Hi' }), ...end('end_turn')]))
    expect(decodeURIComponent(new URL(sent[0]?.url ?? '').pathname)).toBe(`/model/${name}/converse-stream`)
  })

  it('says what AWS said, and whether asking again may help', async () => {
    const refusal = Response.json({ message: 'Too many requests' }, { status: 429 })
    const error = await ask(nova, refusal).catch((reason: unknown) => reason)
    expect(APICallError.isInstance(error) && error).toMatchObject({ message: 'Too many requests', isRetryable: true })
  })

  it.each([
    [{ ...nova, model: '' }, account, 'AWS Bedrock: Model name is empty'],
    [nova, {}, 'AWS Bedrock: the access key in the credential is empty'],
    [nova, { awsKey: 'AKIA1' }, 'AWS Bedrock: the secret access key in the credential is empty'],
    [{ ...nova, region: 'x.example.com/' }, account, 'is no region'],
    [{ ...nova, endpointHost: 'a@b/c' }, account, 'is not the name of a host'],
  ])('names what is wrong in %j', async (config, credential, message) => {
    await expect(ask(config, Response.json({}), credential)).rejects.toThrow(message)
  })
})
