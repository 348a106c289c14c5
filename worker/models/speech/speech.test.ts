/** Each provider against a server that speaks its wire format, as its documentation gives it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Egress } from '../../ports/types.ts'
import { synthesizers, transcribers } from './index.ts'
import type { SpeechCall } from './types.ts'

interface Heard {
  host: string
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

let server: Server
let answers: ((heard: Heard, response: ServerResponse) => void)[]
let heard: Heard[]

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const asked = { host: String(headers['x-host']), method, path, headers, body: await text(request) }
    heard.push(asked)
    const answer = answers.shift()
    if (answer) answer(asked, response)
    else response.writeHead(500).end('nothing was expected')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())
beforeEach(() => {
  answers = []
  heard = []
})

/** Sends every request to the server, which is told the host. */
const egress: Egress = {
  fetch(input, init) {
    const url = new URL(String(input))
    const headers = new Headers(init?.headers)
    headers.set('x-host', url.host)
    const { port } = server.address() as AddressInfo
    return fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, { ...init, headers })
  },
}

const json =
  (value: unknown, status = 200) =>
  (_: Heard, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const sleeps: number[] = []
const call = (settings: object, credential: object): SpeechCall & { sleep(ms: number): Promise<void> } => ({
  settings: settings as Record<string, unknown>,
  credential: credential as Record<string, unknown>,
  egress,
  sleep: async (ms) => void sleeps.push(ms),
})
const recording = { name: 'audio.webm', mime: 'audio/webm', bytes: new Uint8Array([1, 2, 3]) }

function transcriber(name: string) {
  const found = transcribers.find((each) => each.name === name)
  if (!found) throw new Error(name)
  return found
}

function synthesizer(name: string) {
  const found = synthesizers.find((each) => each.name === name)
  if (!found) throw new Error(name)
  return found
}

it.each([
  ['openAIWhisper', 'api.openai.com', '/v1/audio/transcriptions', { openAIApiKey: 'k' }, {}, 'whisper-1'],
  ['groqWhisper', 'api.groq.com', '/openai/v1/audio/transcriptions', { groqApiKey: 'k' }, {}, 'whisper-large-v3'],
  [
    'localAISTT',
    'local.example',
    '/v1/audio/transcriptions',
    { localAIApiKey: 'k' },
    { baseUrl: 'http://local.example/v1/' },
    'whisper-1',
  ],
])('%s sends the file as OpenAI documents it', async (name, host, path, credential, settings, model) => {
  answers.push(json({ text: ' Hello ' }))
  expect(await transcriber(name).transcribe(recording, call({ language: 'de', ...settings }, credential))).toBe('Hello')
  expect(heard[0]).toMatchObject({ host, path, method: 'POST' })
  expect(heard[0]?.headers.authorization).toBe('Bearer k')
  expect(heard[0]?.body).toContain('filename="audio.webm"')
  expect(heard[0]?.body).toMatch(new RegExp(`name="model"\\r\\n\\r\\n${model}`))
  expect(heard[0]?.body).toMatch(/name="language"\r\n\r\nde/)
})

it('AssemblyAI gets the bytes, and is asked until its transcript is complete', async () => {
  answers.push(
    json({ upload_url: 'https://cdn.assemblyai.com/upload/1' }),
    json({ id: 't1', status: 'queued' }),
    json({ id: 't1', status: 'processing' }),
    json({ id: 't1', status: 'completed', text: 'Hello' }),
  )
  const asked = call({}, { assemblyAIApiKey: 'k' })
  expect(await transcriber('assemblyAiTranscribe').transcribe(recording, asked)).toBe('Hello')
  expect(heard.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v2/upload',
    'POST /v2/transcript',
    'GET /v2/transcript/t1',
    'GET /v2/transcript/t1',
  ])
  expect(heard.every(({ headers }) => headers.authorization === 'k')).toBe(true)
  expect(JSON.parse(heard[1]?.body ?? '')).toMatchObject({ audio_url: 'https://cdn.assemblyai.com/upload/1' })
  expect(sleeps).toEqual([1000, 1000])
})

it('AssemblyAI’s refusal is an error with its words', async () => {
  answers.push(json({ upload_url: 'u' }), json({ id: 't1', status: 'error', error: 'no speech found' }))
  const asked = call({}, { assemblyAIApiKey: 'k' })
  await expect(transcriber('assemblyAiTranscribe').transcribe(recording, asked)).rejects.toThrow('no speech found')
})

it('Azure gets the definition beside the file, in its region', async () => {
  answers.push(json({ combinedPhrases: [{ text: 'Hello' }] }))
  const credential = { azureSubscriptionKey: 'k', serviceRegion: 'westus' }
  expect(await transcriber('azureCognitive').transcribe(recording, call({ language: 'de-DE' }, credential))).toBe(
    'Hello',
  )
  expect(heard[0]).toMatchObject({
    host: 'westus.cognitiveservices.azure.com',
    path: '/speechtotext/transcriptions:transcribe?api-version=2024-05-15-preview',
  })
  expect(heard[0]?.headers['ocp-apim-subscription-key']).toBe('k')
  expect(heard[0]?.body).toContain('{"locales":["de-DE"],"profanityFilterMode":"Masked","channels":[0,1]}')
})

it.each(['evil.example/', 'a.b', 'x@evil.example#'])('%s is no region of Azure', async (serviceRegion) => {
  const credential = { azureSubscriptionKey: 'k', serviceRegion }
  await expect(transcriber('azureCognitive').transcribe(recording, call({}, credential))).rejects.toThrow(
    'no service region',
  )
  expect(heard).toEqual([])
})

it.each(transcribers.map(({ name }) => name))('%s says what its provider answered when it refuses', async (name) => {
  answers.push(json({ error: 'quota exceeded' }, 429))
  const keys = {
    openAIApiKey: 'k',
    groqApiKey: 'k',
    assemblyAIApiKey: 'k',
    azureSubscriptionKey: 'k',
    serviceRegion: 'westus',
  }
  const asked = call({ baseUrl: 'http://local.example/v1' }, keys)
  await expect(transcriber(name).transcribe(recording, asked)).rejects.toThrow(
    'the provider answered 429: {"error":"quota exceeded"}',
  )
})

it('OpenAI speaks a text as MP3', async () => {
  answers.push((_, response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3 sound'))
  const response = await synthesizer('openai').speak('Hello', call({ voice: 'nova' }, { openAIApiKey: 'k' }))
  expect(await response.text()).toBe('ID3 sound')
  expect(heard[0]).toMatchObject({ host: 'api.openai.com', path: '/v1/audio/speech' })
  expect(JSON.parse(heard[0]?.body ?? '')).toEqual({
    model: 'gpt-4o-mini-tts',
    voice: 'nova',
    input: 'Hello',
    response_format: 'mp3',
  })
})

it('ElevenLabs speaks a text as a stream', async () => {
  answers.push((_, response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3 sound'))
  const response = await synthesizer('elevenlabs').speak('Hello', call({ voice: 'a/b' }, { elevenLabsApiKey: 'k' }))
  expect(await response.text()).toBe('ID3 sound')
  expect(heard[0]).toMatchObject({ host: 'api.elevenlabs.io', path: '/v1/text-to-speech/a%2Fb/stream' })
  expect(heard[0]?.headers['xi-api-key']).toBe('k')
  expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ text: 'Hello', model_id: 'eleven_multilingual_v2' })
})

it('ElevenLabs lists its voices; what is no voice is left out', async () => {
  answers.push(
    json({ voices: [{ voice_id: 'v1', name: 'Rachel', category: 'premade', settings: {} }, { name: 'x' }, null] }),
  )
  const voices = await synthesizer('elevenlabs').voices(call({}, { elevenLabsApiKey: 'k' }))
  expect(voices).toEqual([{ id: 'v1', name: 'Rachel', category: 'premade' }])
  expect(heard[0]?.path).toBe('/v2/voices?page_size=100')
})

it('a voice without its key asks for a credential', () => {
  expect(() => synthesizer('openai').speak('Hello', call({}, {}))).toThrow('choose a credential with the OpenAI key')
})
