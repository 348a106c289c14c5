/** For tests: a server with the interface of S3 that checks every signature by itself, and fails when it is told to. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Environment } from '../settings.ts'

const KEY_ID = 'AKIDEXAMPLE'
const SECRET = 'a/secret+of-the-bucket'
const REGION = 'eu-test-1'
const BUCKET = 'heddle-files'
const MINUTES_15 = 15 * 60_000

/** A request meets it in place of an answer: a status and its code, or a connection that ends. */
export type Fault = { status: number; code: string } | 'cut' | 'cut body'

export interface S3Server {
  /** They reach its bucket. */
  settings: Required<S3Environment>
  objects: Map<string, Buffer>
  /** Parts of objects that are being uploaded, by the id of the upload. */
  uploads: Map<string, Buffer[]>
  /** `PUT key`, in the order in which they came. */
  seen: string[]
  /** Meets the next requests, one each. */
  faults: Fault[]
  /** Meets all others. */
  always: Fault | undefined
  /** What the key may not do, by requests as in `seen`: a list is `GET `. */
  denied: RegExp | undefined
  close(): Promise<void>
}

/** Starts with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const http = createServer((request, response) => {
    handle(server, request, response).catch((error) => refuse(response, 500, 'InternalError', String(error)))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const server: S3Server = {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_REGION: REGION,
      S3_ACCESS_KEY_ID: KEY_ID,
      S3_SECRET_ACCESS_KEY: SECRET,
    },
    ...{ objects: new Map(), uploads: new Map(), seen: [], faults: [], always: undefined },
    denied: undefined,
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return server
}

interface Call {
  method: string
  /** As it was sent. */
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
}

async function handle(server: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', search] = (request.url ?? '').split('?')
  const body = await buffer(request)
  const call = {
    method: request.method ?? '',
    path,
    query: new URLSearchParams(search),
    headers: request.headers,
    body,
  }
  const [, bucket, ...rest] = path.split('/').map(decodeURIComponent)
  const key = rest.join('/')
  server.seen.push(`${call.method} ${key}`)
  const fault = server.faults.shift() ?? server.always
  if (fault === 'cut') return void request.socket.destroy()
  if (fault && fault !== 'cut body') return refuse(response, fault.status, fault.code)
  const wrong = wrongIn(call) ?? (server.denied?.test(`${call.method} ${key}`) ? 'AccessDenied' : undefined)
  if (wrong) return refuse(response, 403, wrong)
  if (bucket !== BUCKET) return refuse(response, 404, 'NoSuchBucket')
  if (fault === 'cut body') {
    response.writeHead(200, { 'content-length': 100 })
    return void response.write('half', () => request.socket.destroy())
  }
  if (key === '') return void list(server, call, response)
  if (call.query.has('uploads') || call.query.has('uploadId'))
    return void answerUpload(server, { ...call, key }, response)
  answer(server, { ...call, key }, response)
}

function answer(
  { objects }: S3Server,
  { method, key, headers, body }: Call & { key: string },
  response: ServerResponse,
) {
  if (method === 'PUT') {
    objects.set(key, body)
    return response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
  }
  if (method === 'DELETE') {
    objects.delete(key)
    return response.writeHead(204).end()
  }
  const object = objects.get(key)
  if (!object) return refuse(response, 404, 'NoSuchKey')
  if (headers.range === undefined) return response.writeHead(200, { 'content-length': object.length }).end(object)
  const [, from, to] = (/^bytes=(\d+)-(\d+)$/.exec(headers.range) ?? []).map(Number) as [number, number, number]
  if (from >= object.length)
    return refuse(
      response,
      416,
      'InvalidRange',
      `</Message><ActualObjectSize>${object.length}</ActualObjectSize><Message>`,
    )
  const part = object.subarray(from, to + 1)
  const range = `bytes ${from}-${from + part.length - 1}/${object.length}`
  return response.writeHead(206, { 'content-length': part.length, 'content-range': range }).end(part)
}

/** Uploads in parts: begin, one part, end, and give up. */
function answerUpload(
  { objects, uploads }: S3Server,
  { method, key, query, body }: Call & { key: string },
  response: ServerResponse,
) {
  const tagOf = (part: Buffer) => createHash('md5').update(part).digest('hex')
  if (query.has('uploads')) {
    const id = `upload ${uploads.size + 1}`
    uploads.set(id, [])
    return response
      .writeHead(200)
      .end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  const id = query.get('uploadId') ?? ''
  const parts = uploads.get(id)
  if (!parts) return refuse(response, 404, 'NoSuchUpload')
  if (method === 'PUT') {
    parts[Number(query.get('partNumber')) - 1] = body
    return response.writeHead(200, { etag: `"${tagOf(body)}"` }).end()
  }
  uploads.delete(id)
  if (method === 'DELETE') return response.writeHead(204).end()
  const listed = [...body.toString().matchAll(/<ETag>&quot;(\w+)&quot;<\/ETag>/g)].map(([, tag]) => tag)
  if (listed.join() !== parts.map(tagOf).join()) return refuse(response, 200, 'InvalidPart')
  objects.set(key, Buffer.concat(parts))
  return response.writeHead(200).end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
}

/** A few objects a page, so that every list has more. */
const KEYS_PER_PAGE = 3

function list({ objects }: S3Server, { query }: Call, response: ServerResponse): void {
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const rest = [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).filter(([key]) => key > after)
  const page = rest.slice(0, KEYS_PER_PAGE)
  const contents = page.map(
    ([key, { length }]) => `<Contents><Key>${encode(key)}</Key><Size>${length}</Size></Contents>`,
  )
  const isTruncated = rest.length > page.length
  const next = isTruncated
    ? `<NextContinuationToken>${Buffer.from(page.at(-1)?.[0] ?? '').toString('base64')}</NextContinuationToken>`
    : ''
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('\n')}</ListBucketResult>`,
    )
}

function refuse(response: ServerResponse, status: number, code: string, message = 'So says the bucket'): void {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`
  response.writeHead(status, { 'content-type': 'application/xml' }).end(xml)
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Returns the code of what is wrong with the signature (AWS Signature Version 4), or with what was signed. */
function wrongIn({ method, path, query, headers, body }: Call): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, id, day = '', region = '', names = '', signature = ''] = form.exec(headers.authorization ?? '') ?? []
  const date = String(headers['x-amz-date'])
  const hash = String(headers['x-amz-content-sha256'])
  if (!signature || !date.startsWith(day)) return 'AccessDenied'
  if (id !== KEY_ID) return 'InvalidAccessKeyId'
  if (region !== REGION) return 'AuthorizationHeaderMalformed'
  const signed = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) return 'AccessDenied'
  const time = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (!(Math.abs(Date.now() - time) < MINUTES_15)) return 'RequestTimeTooSkewed'
  const sorted = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const canonicalPath = path
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
  const lines = signed
    .map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/\s+/g, ' ')}\n`,
    )
    .join('')
  const request = [method, canonicalPath, sorted.join('&'), lines, names, hash].join('\n')
  const scope = `${day}/${REGION}/s3/aws4_request`
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${SECRET}`, day), REGION))
  const expected = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(request)].join('\n'))
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch'
  return hash === sha256(body) ? undefined : 'XAmzContentSHA256Mismatch'
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
