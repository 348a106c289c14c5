/** Signed requests to the operator's bucket. Each may be repeated: it leaves the bucket as one alone would. */
import type { AwsV4Signer } from 'aws4fetch'
import { errorMessage } from '#contract/errors.ts'
import { orAborted, startDeadline } from '../deadline.ts'
import type { Clock } from '../types.ts'
import type { S3Settings } from './settings.ts'

/** Reaches private addresses too: the operator sets the endpoint, and nothing in a workspace names it. */
export interface S3Network {
  fetch(address: string, init: RequestInit): Promise<Response>
}

interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Empty: the bucket itself. */
  key: string
  query?: Record<string, string>
  body?: Uint8Array
  range?: { offset: number; length: number } | undefined
}

export interface S3Answer {
  status: number
  headers: Headers
  bytes: ArrayBuffer
}

/** The bucket did not do what it was asked to. Its message is for the operator's log. */
class S3Error extends Error {
  override readonly name = 'S3Error'
  /** Another attempt may succeed. */
  readonly mayPass: boolean

  constructor(message: string, mayPass: boolean) {
    super(message)
    this.mayPass = mayPass
  }
}

/** A failure that passes within that time is nobody's failure. */
const REPEAT_MS = 6_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1_000
/** Milliseconds until an answer, and the bytes a millisecond that bodies take more. */
const ANSWER_MS = 15_000
const BYTES_PER_MS = 512

const MAY_PASS = new Set([408, 429, 500, 502, 503, 504])
/** What a server of S3 says of a file that it lacks. A 404 without it is of another server, such as a proxy. */
const NO_FILE = 'NoSuchKey'

/** The size of a file at the end of `Content-Range`. */
export const SIZE = /\/(\d+)$/

export interface S3Client {
  /** Returns the answer of a success; to GET and DELETE also a 404 of a missing file, to GET a 416. Throws an S3Error for all others. */
  send(request: S3Request): Promise<S3Answer>
}

export function createS3Client(settings: S3Settings, network: S3Network, clock: Clock): S3Client {
  return {
    async send(request) {
      // Needed by few, so it is no part of the start.
      const { AwsV4Signer: Signer } = await import('aws4fetch')
      const until = clock.now().getTime() + REPEAT_MS
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        try {
          return await attempt(request, { settings, network, Signer })
        } catch (error) {
          const mayRepeat = error instanceof S3Error && error.mayPass
          if (!mayRepeat || clock.now().getTime() >= until) throw error
          await clock.sleep(pause * (0.5 + Math.random() / 2))
        }
      }
    },
  }
}

interface Attempt {
  settings: S3Settings
  network: S3Network
  Signer: typeof AwsV4Signer
}

async function attempt(request: S3Request, { settings, network, Signer }: Attempt): Promise<S3Answer> {
  const { method, body } = request
  const { url, headers } = await signRequest(request, settings, Signer)
  const { signal, clear, extend } = deadlineOf(body?.length ?? 0, settings.endpoint)
  try {
    const init = { method, headers, signal, redirect: 'manual' as const, ...(body && { body: body as BodyInit }) }
    const response = await orAborted(network.fetch(url, init), signal)
    const isWhole = request.range && response.status === 200
    if (isWhole) {
      response.body?.cancel().catch(() => {})
      throw new S3Error(`${settings.endpoint} does not answer requests for a part of a file`, false)
    }
    extend(Number(response.headers.get('content-length')))
    const bytes = await orAborted(response.arrayBuffer(), signal)
    const answer = { status: response.status, headers: response.headers, bytes }
    assertDone(request, answer, settings)
    return answer
  } catch (error) {
    if (error instanceof S3Error) throw error
    throw new S3Error(`${settings.endpoint} could not be reached: ${errorMessage(error)}`, true)
  } finally {
    clear()
  }
}

/** Aborts when no answer came in time, and later when its body did not. */
function deadlineOf(sent: number, endpoint: string) {
  const late = () => new S3Error(`${endpoint} did not answer in time`, true)
  const deadline = startDeadline(ANSWER_MS + sent / BYTES_PER_MS, late)
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    signal: deadline.signal,
    extend(received: number) {
      deadline.clear()
      timer = setTimeout(() => deadline.abort(late()), ANSWER_MS + (received || 0) / BYTES_PER_MS)
    },
    clear() {
      deadline.clear()
      clearTimeout(timer)
    },
  }
}

async function signRequest(
  { method, key, query, body, range }: S3Request,
  { endpoint, bucket, ...access }: S3Settings,
  Signer: typeof AwsV4Signer,
): Promise<{ url: string; headers: Headers }> {
  const path = key.split('/').map(encodeURIComponent).join('/')
  const signer = new Signer({
    ...access,
    service: 's3',
    method,
    url: `${endpoint}/${bucket}/${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
    headers: { 'x-amz-content-sha256': await hash(body) },
  })
  const { url, headers } = await signer.sign()
  // Not signed: what is between may change it.
  headers.set('accept-encoding', 'identity')
  if (range) headers.set('range', `bytes=${range.offset}-${range.offset + range.length - 1}`)
  return { url: url.href, headers }
}

async function hash(body: Uint8Array = new Uint8Array()): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Throws an S3Error that says what the operator can do. */
function assertDone({ method, key }: S3Request, { status, bytes, headers }: S3Answer, settings: S3Settings): void {
  const { endpoint } = settings
  if (status < 300) {
    if (status === 206 && !SIZE.test(headers.get('content-range') ?? ''))
      throw new S3Error(`${endpoint} answered with a part of ${key}, but not with the size of the whole`, false)
    const length = headers.get('content-length')
    if (length === null || Number(length) === bytes.byteLength) return
    throw new S3Error(`${endpoint} broke off in the middle of a file`, true)
  }
  const said = new TextDecoder().decode(bytes.slice(0, LONGEST_REASON))
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(said)?.[1] ?? ''
  if (method === 'GET' && status === 416) return
  if ((method === 'GET' || method === 'DELETE') && status === 404 && code === NO_FILE) return
  const message = /<Message>([^<]{1,500})<\/Message>/.exec(said)?.[1]
  const answer = `${endpoint} answered ${status}${code && ` ${code}`}${message ? `: ${message}` : ''}`
  const advice = ADVICE[code || (status === 404 ? NO_CODE : '')]?.(settings)
  throw new S3Error(advice ? `${answer}\n${advice}` : answer, MAY_PASS.has(status) || code === 'RequestTimeout')
}

const LONGEST_REASON = 10_000

const NO_CODE = 'none'
const REGION = ({ region }: S3Settings) => `Set S3_REGION, which is "${region}", to the region of the bucket.`

const ADVICE: Record<string, (settings: S3Settings) => string> = {
  NoSuchBucket: ({ bucket }) => `Create the bucket "${bucket}", or correct S3_BUCKET or S3_ENDPOINT.`,
  [NO_CODE]: () => 'No server of S3 says so. Correct S3_ENDPOINT, or the proxy in between.',
  AccessDenied: ({ bucket }) =>
    `Allow the key s3:GetObject, s3:PutObject and s3:DeleteObject in "${bucket}", and s3:ListBucket of it: without the last, S3 refuses to say that a file is not there.`,
  InvalidAccessKeyId: () => 'Correct S3_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: () => 'Correct S3_SECRET_ACCESS_KEY.',
  RequestTimeTooSkewed: () => 'Set the clock of this machine.',
  PermanentRedirect: REGION,
  TemporaryRedirect: REGION,
  AuthorizationHeaderMalformed: REGION,
}
