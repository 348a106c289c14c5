// @defends costly-request
/**
 * What a call of anybody costs is what it sends: the CPU time that the product spends on a byte of a body has a limit on
 * every public route, whatever the body is made of. Compared with a body of one long text on the same machine, so that no
 * other work on it decides. Linux only: it says what each process has used, to the nanosecond.
 */
import { zipSync, zlibSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rateLimits } from '#db/schema/index.ts'
import { chain, directReply, start } from '../../e2e/support/flows.ts'
import { routes } from '../areas/index.ts'
import { openScene, type Scene } from '../areas/predictions/testing/scene.ts'
import { canMeasureCpu, workerdNanoseconds } from '../local/testing/cpu.ts'
import type { Route } from './route.ts'

/** How many times as much as an ordinary body a body may cost: 100 ns a byte on a machine of 2025. */
const TIMES_A_TEXT = 20
/** What a call may cost whatever its size, as bytes of an ordinary body. */
const FREE_BYTES = 1_000_000
const MIB = 1024 ** 2
const JSON_TYPE = { 'content-type': 'application/json' }

let scene: Scene
let flowId: string
/** CPU time of a byte of an ordinary body. */
let ordinary: number
beforeAll(async () => {
  scene = await openScene()
  const chatbotConfig = JSON.stringify({ fullFileUpload: { status: true } })
  flowId = await scene.save(chain(start(), directReply('Done')), { chatbotConfig })
  const text = `{"question":"${'x'.repeat(MIB - 100)}"}`
  const send = () => post(`/prediction/${crypto.randomUUID()}`, text)
  for (let call = 0; call < 5; call++) await send()
  ordinary = (await costOf(send)) / text.length
})
afterAll(() => scene.close())

async function post(path: string, body: BodyInit, { method = 'POST', headers = JSON_TYPE as HeadersInit } = {}) {
  const response = await scene.heddle.fetch(`/api/v1${path}`, { method, headers, body })
  await response.arrayBuffer()
  return response.status
}

/** CPU time of the product in nanoseconds. The lowest of three: a collector of garbage works when it likes. */
async function costOf(send: () => Promise<unknown>, enough = 0): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && lowest > enough; attempt++) {
    await scene.heddle.database.delete(rateLimits)
    const before = workerdNanoseconds()
    await send()
    lowest = Math.min(lowest, workerdNanoseconds() - before)
  }
  return lowest
}

/** Returns how many times as much as ordinary bytes a call costs. */
async function timesOrdinary(bytes: number, send: () => Promise<unknown>): Promise<number> {
  const unit = ordinary * (bytes + FREE_BYTES)
  return (await costOf(send, TIMES_A_TEXT * unit)) / unit
}

const fill = (unit: string) => Array(Math.floor((MIB - 200) / (unit.length + 1))).fill(unit)

/** Bodies that cost more than their bytes where a route does not look first. */
const bodies: Record<string, () => string> = {
  'many keys': () => `{${Array.from({ length: 75_000 }, (_, index) => `"k${index}":1`).join()}}`,
  'many numbers in a form': () => `{"form":{"a":[${fill('1').join()}]}}`,
  'as many numbers as are taken': () => `{"form":{"a":[${Array(99_000).fill('123456789').join()}]}}`,
  'a long history': () => `{"question":"q","history":[${fill('{"role":"a"}').join()}]}`,
  'a history of nothing': () => `{"question":"q","history":[${Array(99_000).fill('{}').join()}]}`,
  'many messages': () => `{"model":"${flowId}","messages":[${fill('{"role":"user","content":"a"}').join()}]}`,
  'a deep list': () => `{"form":${'['.repeat(500_000)}`,
  'many escapes': () => `{"question":"${'\\u0041'.repeat(170_000)}"}`,
  'a long id': () => `{"chatId":"${'x'.repeat(MIB - 100)}"}`,
}

const takesBodies = routes.filter(({ access, method }) => access === 'public' && method !== 'GET')
/** The body names the flow there, so it is read before it is known whether the key may call it. */
const namedInBody = takesBodies.filter(({ isOfOpenAi }) => isOfOpenAi)
const addressOf = ({ path }: Route) => path.replace(/:(\w+)/g, (_, name) => (name === 'id' ? flowId : 'x'))

async function expensiveBodies(route: Route, headers: Record<string, string> = {}): Promise<[string, number][]> {
  const measured: [string, number][] = []
  for (const [name, make] of Object.entries(bodies)) {
    const body = make()
    const init = { method: route.method, headers: { ...JSON_TYPE, ...headers } }
    measured.push([name, await timesOrdinary(body.length, () => post(addressOf(route), body, init))])
  }
  return measured.filter(([, times]) => times > TIMES_A_TEXT)
}

const named = (routes: Route[]) => routes.map((route) => ({ name: `${route.method} ${route.path}`, route }))

describe.runIf(canMeasureCpu)('a byte of a body costs no more than it should', () => {
  it.each(named(takesBodies))('on $name', async ({ route }) => {
    expect(await expensiveBodies(route)).toEqual([])
  })

  it.each(named(namedInBody))('on $name, from a caller whose key is nobody’s', async ({ route }) => {
    expect(await expensiveBodies(route, { authorization: 'Bearer none' })).toEqual([])
  })
})

const bytesOf = (text: string) => new TextEncoder().encode(text)

const PARAGRAPH = '<w:p><w:r><w:t>a</w:t></w:r></w:p>'

const docx = (paragraphs: number) =>
  zipSync(
    {
      '[Content_Types].xml': bytesOf('<Types/>'),
      'word/document.xml': bytesOf(`<w:document><w:body>${PARAGRAPH.repeat(paragraphs)}</w:body></w:document>`),
    },
    { level: 9 },
  )

function pdf(): Uint8Array {
  const stream = zlibSync(new Uint8Array(60_000_000), { level: 1 })
  const head = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]>>endobj\n4 0 obj<</Length ${stream.length}/Filter/FlateDecode>>stream\n`
  return Buffer.concat([bytesOf(head), stream, bytesOf('\nendstream endobj\ntrailer<</Root 1 0 R>>')])
}

/** The second one is read: it may cost what a text as long as its XML does. The others are refused. */
const files: [name: string, make: () => Uint8Array, textBytes: number][] = [
  ['a.docx', () => docx(400_000), 0],
  ['b.docx', () => docx(140_000), 140_000 * PARAGRAPH.length],
  ['a.pdf', pdf, 0],
]

describe.runIf(canMeasureCpu)('a file that unpacks to much costs an anonymous call little', () => {
  it.each(files)('as %s', async (name, make, textBytes) => {
    const bytes = make()
    const form = new FormData()
    form.append('files', new Blob([bytes as Uint8Array<ArrayBuffer>]), name)
    const times = await timesOrdinary(Math.max(bytes.length, textBytes), () =>
      post(`/attachments/${flowId}/c`, form, { headers: {} }),
    )
    expect(times).toBeLessThan(TIMES_A_TEXT)
  })
})
