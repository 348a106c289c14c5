/** Requests of loaders. What goes wrong is said per source, without a value of the credential. */
import { MAX_FILE_BYTES } from '#contract/document-stores/limits.ts'
import { errorMessage } from '#contract/errors.ts'
import { reasonIn } from '../../../providers/json-api.ts'
import { ProviderRefusal } from '../../../providers/service.ts'
import type { ComponentContext } from '../../../providers/types.ts'
import { readFile } from '../../readers/index.ts'
import { type SourceContent, type SourceItem, UnreadableError } from '../../types.ts'
import { computeHash } from '../hash.ts'
import { adjustMetadata } from '../metadata.ts'

export interface SourceRequest {
  /** For people, in messages. */
  service: string
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
  redirect?: 'follow' | 'manual'
  maxBytes?: number
  /** True for a list of sources: what refuses it holds for all of them. */
  isList?: boolean
  /** Returns the reason in a refusal. Default: what is at the usual places of a JSON error. */
  readReason?(answer: string): string | Promise<string>
}

const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 10 * 1024 ** 2
/** How often a request is sent that was told to wait, and how long it waits at most. */
const MAX_ATTEMPTS = 3
const MAX_WAIT_MS = 20_000
/** It may answer after the time that it names. */
const BUSY = new Set([403, 429, 503])
/** It may answer in a moment. */
const DOWN = new Set([502, 503, 504])
const MOMENT_MS = 2000

/** Returns the response, whatever its status. Waits where it says how long. @throws UnreadableError without a response */
export async function sendRequest(
  { service, url, method, headers, body, redirect, maxBytes = MAX_ANSWER_BYTES }: SourceRequest,
  { egress, clock, signal, credential }: ComponentContext,
): Promise<Response> {
  for (let tries = 1; ; tries++) {
    let response: Response
    try {
      response = await egress.fetch(
        url,
        { method, headers, body, redirect, signal },
        { timeoutMs: TIMEOUT_MS, maxBytes },
      )
    } catch (error) {
      signal.throwIfAborted()
      throw new UnreadableError(withoutSecrets(`${service}: ${errorMessage(error)}`, credential))
    }
    const wait = waitBefore(response, tries, clock.now())
    if (wait === undefined || wait > MAX_WAIT_MS || tries === MAX_ATTEMPTS) return response
    response.body?.cancel().catch(() => {})
    await clock.sleep(wait, signal)
  }
}

/** Returns the milliseconds until the next try; undefined when there is none. */
function waitBefore(response: Response, tries: number, now: Date): number | undefined {
  const named = BUSY.has(response.status) ? parseWait(response, now) : undefined
  return named ?? (DOWN.has(response.status) && tries === 1 ? MOMENT_MS : undefined)
}

/** Returns milliseconds; undefined when the service says nothing that can be understood. */
function parseWait({ headers }: Response, now: Date): number | undefined {
  const said = headers.get('retry-after') ?? ''
  if (/^\d{1,6}$/.test(said)) return Number(said) * 1000
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0'
  const date = isUsedUp ? Number(headers.get('x-ratelimit-reset') || Number.NaN) * 1000 : Date.parse(said)
  return Number.isNaN(date) ? undefined : Math.max(date - now.getTime(), 0)
}

const GONE = new Set([404, 410])
/** It is the same for every source until a person does something, or time passes. */
const REFUSALS = new Set([401, 429])
/** Words of limits that GitHub, Google and others answer with 403. */
const LIMIT = /rate.?limit|dailyLimitExceeded/i
/** Codes with which S3 refuses a credential, under 400 or 403. */
const CREDENTIAL = /\b(InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken)\b/

/**
 * Returns undefined when it no longer exists. In the service's own words:
 * @throws ProviderRefusal for 401 and 429, and for 403 of a list
 * @throws UnreadableError, also for 403 of one source, which does not question the credential
 */
export async function askFor(request: SourceRequest, context: ComponentContext): Promise<Response | undefined> {
  const response = await sendRequest(request, context)
  if (response.ok) return response
  if (GONE.has(response.status)) {
    response.body?.cancel().catch(() => {})
    return undefined
  }
  const answer = await bodyText(request.service, response)
  const wait = parseWait(response, context.clock.now())
  const status = meantStatus(response.status, answer, wait)
  const reason = await (request.readReason ?? reasonIn)(answer)
  const message = withoutSecrets(describeRefusal(request, status, { reason, wait }), context.credential)
  const holdsForAll = REFUSALS.has(status) || (status === 403 && request.isList)
  throw holdsForAll ? new ProviderRefusal(message, status) : new UnreadableError(message)
}

/** Returns 401 for a refused credential and 429 for a limit, whatever status the service gives them. */
function meantStatus(status: number, answer: string, wait: number | undefined): number {
  if ((status === 400 || status === 403) && CREDENTIAL.test(answer)) return 401
  return status === 403 && (wait !== undefined || LIMIT.test(answer)) ? 429 : status
}

function describeRefusal(
  { service, isList }: SourceRequest,
  status: number,
  { reason, wait }: { reason: string; wait: number | undefined },
): string {
  const said = reason ? `: ${reason.replace(/(?<![.!?…])$/, '.')}` : '.'
  if (status === 401) return `${service} refused the credential (401)${said} Choose another one, or connect it again.`
  if (status === 403 && !isList)
    return `${service} does not open this (403)${said} Leave it out, or check what the credential may read.`
  if (status === 403) return `${service} does not allow it (403)${said} Check what the credential may read.`
  if (status === 429) return `${service} limits how often it is asked (429)${said} Try again ${whenAfter(wait)}.`
  if (status >= 500) return `${service} has a problem of its own (${status})${said} Try again later.`
  return `${service} responded with ${status}${said}`
}

function whenAfter(wait: number | undefined): string {
  if (wait === undefined) return 'later'
  const seconds = Math.ceil(wait / 1000)
  if (seconds < 120) return `in ${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`
}

/** Works as `askFor` does, for JSON. @throws UnreadableError also for an answer that is no JSON */
export async function askForJson<Answer>(
  request: SourceRequest,
  context: ComponentContext,
): Promise<Answer | undefined> {
  const response = await askFor({ ...request, headers: { accept: 'application/json', ...request.headers } }, context)
  if (!response) return undefined
  const text = await bodyText(request.service, response)
  try {
    const answer = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer as Answer
  } catch {}
  throw new UnreadableError(`${request.service} did not return JSON. Check the address.`)
}

/** Asks for a list in JSON. @throws UnreadableError with `missing` where nothing means that an input is wrong */
export async function needJson<Answer>(
  request: SourceRequest,
  context: ComponentContext,
  missing: string,
): Promise<Answer> {
  const answer = await askForJson<Answer>({ ...request, isList: true }, context)
  if (answer === undefined) throw new UnreadableError(missing)
  return answer
}

/** @throws UnreadableError when the response is too large or breaks off */
export async function bodyBytes(service: string, response: Response): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    throw new UnreadableError(`${service}: ${errorMessage(error)}`)
  }
}

export const bodyText = async (service: string, response: Response): Promise<string> =>
  new TextDecoder().decode(await bodyBytes(service, response))

const MIN_SECRET_CHARS = 6

function withoutSecrets(message: string, credential: Record<string, unknown>): string {
  const secrets = Object.values(credential).filter(
    (value): value is string => typeof value === 'string' && value.length >= MIN_SECRET_CHARS,
  )
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '•••'), message)
}

/** Files are as large as those that people send. */
export const FILE_BYTES = MAX_FILE_BYTES

/** Reads a file that was fetched. The store keeps its bytes only where the origin may lose them, so they are not returned. */
export async function readFetchedFile(
  bytes: Uint8Array,
  { name, mime = '' }: Pick<SourceItem, 'name' | 'mime'>,
  { metadata, config }: { metadata: Record<string, unknown>; config: Record<string, unknown> },
): Promise<SourceContent> {
  const hash = await computeHash(bytes)
  const { documents, pages } = await readFile(bytes, { name, mime, mayTakeBytes: true })
  const adjusted = documents.map((document) => ({
    ...document,
    metadata: adjustMetadata({ ...document.metadata, ...metadata }, config),
  }))
  return { documents: adjusted, pages, hash }
}

/** Returns a text as the only document of its source. */
export async function textContent(
  text: string,
  format: 'text' | 'markdown',
  { metadata, config }: { metadata: Record<string, unknown>; config: Record<string, unknown> },
): Promise<SourceContent> {
  if (text.trim() === '') throw new UnreadableError('It has no text.')
  const clean = text.replaceAll('\0', '').toWellFormed()
  return {
    documents: [{ text: clean, format, metadata: adjustMetadata(metadata, config) }],
    pages: 1,
    hash: await computeHash(clean),
  }
}
