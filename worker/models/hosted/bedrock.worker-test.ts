/** A stream of AWS events, read by the built worker over TLS as from AWS itself. */
import 'reflect-metadata'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scene } from '../../areas/predictions/testing/scene.ts'
import { drawChat } from '../../nodes/chatflow/testing/chat.ts'

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes as Uint8Array)),
  (text) => new TextEncoder().encode(text),
)

const frame = ([type, payload]: readonly [type: string, payload: object]) =>
  codec.encode({
    headers: {
      ':event-type': { type: 'string', value: type },
      ':content-type': { type: 'string', value: 'application/json' },
      ':message-type': { type: 'string', value: 'event' },
    },
    body: new TextEncoder().encode(JSON.stringify(payload)),
  })

const said = (text: string) => ['contentBlockDelta', { contentBlockIndex: 0, delta: { text } }] as const
const EVENTS = [
  ['messageStart', { role: 'assistant' }],
  said('Bed'),
  said('rock 雪'),
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ['messageStop', { stopReason: 'end_turn' }],
  ['metadata', { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 }, metrics: { latencyMs: 5 } }],
] as const

/** A certificate of localhost that signs itself, as PEM. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    signingAlgorithm,
    notAfter: new Date(Date.now() + 2 * 86_400_000),
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
  })
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return { key, cert: certificate.toString('pem') }
}

describe('Bedrock', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bedrock-'))
  const asked: { path: string; authorization: string; body: string }[] = []
  let server: Server
  let scene: Scene
  let host: string

  beforeAll(async () => {
    const signed = await selfSigned()
    const cert = join(folder, 'cert.pem')
    writeFileSync(cert, signed.cert)
    server = createServer(signed, async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { url: path = '', headers } = request
      asked.push({ path, authorization: headers.authorization ?? '', body: Buffer.concat(chunks).toString() })
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
      const bytes = Buffer.concat(EVENTS.map(frame))
      // Frames arrive in pieces that end anywhere.
      for (let at = 0; at < bytes.length; at += 50) {
        response.write(bytes.subarray(at, at + 50))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    host = `localhost:${(server.address() as AddressInfo).port}`
    // workerd trusts these when it is loaded.
    process.env.NODE_EXTRA_CA_CERTS = cert
    const { openScene } = await import('../../areas/predictions/testing/scene.ts')
    scene = await openScene({ allowPrivateHosts: host })
  })
  afterAll(async () => {
    await scene?.close()
    server?.close()
    delete process.env.NODE_EXTRA_CA_CERTS
    rmSync(folder, { recursive: true, force: true })
  })

  it('streams an answer with its usage through the worker', async () => {
    const account = { awsKey: 'AKIA1', awsSecret: 'secret-1' }
    const key = { name: 'Account', credentialName: 'awsApi', plainDataObj: account }
    const credential = (await scene.call<{ id: string }>('POST', '/credentials', key)).body.id
    const inputs = { model: 'amazon.nova-lite-v1:0', region: 'eu-west-1', endpointHost: host }
    const flow = drawChat({ awsChatBedrock_0: { inputs }, conversationChain_0: {}, bufferMemory_0: {} }, [
      'awsChatBedrock_0 > conversationChain_0.model',
      'bufferMemory_0 > conversationChain_0.memory',
    ])
    const nodes = flow.nodes.map((node) =>
      node.data.name === 'awsChatBedrock' ? { ...node, data: { ...node.data, credential } } : node,
    )
    const id = await scene.save({ ...flow, nodes }, { type: 'CHATFLOW' })
    const events = await scene.stream(`/prediction/${id}`, { question: 'Who?' })
    expect(events.filter(({ event }) => event === 'error')).toEqual([])
    expect(events.flatMap(({ event, data }) => (event === 'token' ? [data as string] : []))).toEqual(['Bed', 'rock 雪'])
    expect(asked[0]?.path).toBe('/model/amazon.nova-lite-v1%3A0/converse-stream')
    expect(asked[0]?.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIA1\/\d{8}\/eu-west-1\/bedrock\/aws4_request/,
    )
    expect(asked[0]?.body).toContain('Who?')
    const own = await scene.stream(`/internal-prediction/${id}`, { question: 'Again?' }, scene.ann)
    expect(JSON.stringify(own.filter(({ event }) => event === 'agentFlowExecutedData'))).toContain('"input_tokens":11')
  })
})
