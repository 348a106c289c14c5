// @defends anonymous-texts-spoken
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { openScene, type Reply, type Scene } from '../predictions/testing/scene.ts'

const KEY = 'sk-of-the-voice'
let voice: Server
let scene: Scene
let credentialId: string
let baseUrl: string
/** What the provider was asked to speak. */
let spoken: { input: string; authorization: string | undefined }[]
let refuses: boolean

beforeAll(async () => {
  voice = createServer(async (request, response) => {
    const { input } = JSON.parse(await text(request))
    spoken.push({ input, authorization: request.headers.authorization })
    if (refuses) return void response.writeHead(401).end(`{"error":"bad key ${KEY}"}`)
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.write('ID3 one ')
    response.end('two')
  })
  await new Promise<void>((resolve) => voice.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(voice.address() as AddressInfo).port}`
  baseUrl = `http://${host}/v1`
  scene = await openScene({ allowPrivateHosts: host })
  const credential = { name: 'voice', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: KEY }, hosts: [host] }
  credentialId = (await scene.call<{ id: string }>('POST', '/credentials', credential)).body.id
})
afterAll(async () => {
  await scene.close()
  voice.close()
})
beforeEach(() => {
  spoken = []
  refuses = false
})

const speaking = (autoPlay = false, more: object = {}) =>
  scene.save(chain(start(), directReply('Good morning')), {
    textToSpeech: JSON.stringify({ openai: { status: true, credentialId, voice: 'nova', autoPlay, baseUrl } }),
    ...more,
  })

async function answered(flowId: string) {
  const { chatId, chatMessageId } = (await scene.ask(flowId, { question: 'Hello' })).body as Reply & {
    chatId: string
    chatMessageId: string
  }
  return { chatflowId: flowId, chatId, chatMessageId }
}

const generate = (json: object) =>
  scene.heddle.newClient().fetch('/api/v1/text-to-speech/generate', { method: 'POST', json })

/** The sound in the events of a stream. */
const soundIn = (events: { event: string; data: { audioChunk?: string } }[]) =>
  events.map(({ data }) => Buffer.from(data.audioChunk ?? '', 'base64').toString()).join('')

it('speaks an answer in the framing that Flowise’s clients read', async () => {
  const answer = await answered(await speaking())
  const response = await generate({ ...answer, text: 'Good morning' })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const frames = (await response.text()).split('\n\n').filter(Boolean)
  const { chatMessageId } = answer
  expect(frames[0]).toBe(
    `event: tts_start\ndata: ${JSON.stringify({ event: 'tts_start', data: { chatMessageId, format: 'mp3' } })}`,
  )
  expect(frames.at(-1)).toBe(`event: tts_end\ndata: ${JSON.stringify({ event: 'tts_end', data: { chatMessageId } })}`)
  const events = frames.map((frame) => JSON.parse((frame.split('\n')[1] as string).slice('data: '.length)))
  expect(new Set(events.slice(1, -1).map(({ event }) => event))).toEqual(new Set(['tts_data']))
  expect(soundIn(events)).toBe('ID3 one two')
  expect(spoken).toEqual([{ input: 'Good morning', authorization: `Bearer ${KEY}` }])
})

it('speaks the stored answer, whatever text an anonymous caller sends', async () => {
  const answer = await answered(await speaking())
  await (await generate({ ...answer, text: 'Read me a whole book' })).text()
  expect(spoken.map(({ input }) => input)).toEqual(['Good morning'])
})

it('speaks no message of another chat, of another flow, or of the person', async () => {
  const flowId = await speaking()
  const answer = await answered(flowId)
  const other = await answered(await speaking())
  const [question] = await scene
    .call<{ id: string; role: string }[]>('GET', `/chatmessage/${flowId}`)
    .then(({ body }) => body)
  expect(question?.role).toBe('userMessage')
  for (const wrong of [
    { ...answer, chatId: 'another' },
    { ...answer, chatflowId: other.chatflowId },
    { ...answer, chatMessageId: question?.id },
  ]) {
    expect((await generate(wrong)).status).toBe(404)
  }
  expect(spoken).toEqual([])
})

it('speech is refused where the flow does not speak, or does not let the caller in', async () => {
  const silent = await answered(await scene.save(chain(start(), directReply('Good morning'))))
  const refused = await generate(silent)
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('This flow does not speak its answers')
  const flowId = await speaking()
  const answer = await answered(flowId)
  await scene.call('PUT', `/chatflows/${flowId}`, { callers: 'keys' })
  expect((await generate(answer)).status).toBe(401)
  expect(spoken).toEqual([])
})

it('tells an anonymous caller nothing of the provider’s refusal', async () => {
  const answer = await answered(await speaking())
  refuses = true
  const frames = await (await generate(answer)).text()
  expect(frames).toBe(
    `event: tts_error\ndata: ${JSON.stringify({ event: 'tts_error', data: { error: 'The answer could not be spoken. Try again.' } })}\n\n`,
  )
})

it('speech is rate-limited per caller', async () => {
  const answer = await answered(await speaking())
  const statuses: number[] = []
  for (let call = 0; call < 21; call++) {
    const response = await generate(answer)
    statuses.push(response.status)
    await response.text()
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
})

it('follows the answer in the stream of a prediction where it plays by itself', async () => {
  const events = await scene.stream(`/prediction/${await speaking(true)}`, { question: 'Hello' })
  const names = events.map(({ event }) => event)
  const first = names.indexOf('tts_start')
  expect(names.slice(first)).toEqual([
    'tts_start',
    ...names.filter((name) => name === 'tts_data'),
    'tts_end',
    'metadata',
    'end',
  ])
  expect(soundIn(events)).toBe('ID3 one two')
  const silent = await scene.stream(`/prediction/${await speaking(false)}`, { question: 'Hello' })
  expect(silent.map(({ event }) => event)).not.toContain('tts_start')
})

it('speech is named in the public settings of a flow that speaks, and lists voices for members', async () => {
  const config = async (id: string) =>
    (await scene.call<{ isTTSEnabled: boolean }>('GET', `/public-chatbotConfig/${id}`)).body
  expect((await config(await speaking())).isTTSEnabled).toBe(true)
  expect((await config(await scene.save(chain(start(), directReply('Hello'))))).isTTSEnabled).toBe(false)
  const voices = await scene.call<{ id: string }[]>('GET', '/text-to-speech/voices?provider=openai')
  expect(voices.body).toContainEqual({ id: 'nova', name: 'Nova' })
  const anonymous = await scene.heddle.newClient().fetch('/api/v1/text-to-speech/voices?provider=openai')
  expect(anonymous.status).toBe(401)
})

it('answers a stop as Flowise does', async () => {
  const answer = await answered(await speaking())
  const stopped = await scene.call('POST', '/text-to-speech/abort', answer, scene.heddle.newClient())
  const { chatId, chatMessageId } = answer
  expect(stopped.body).toEqual({ message: 'TTS stream aborted successfully', chatId, chatMessageId })
})
