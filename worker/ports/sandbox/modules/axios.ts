/** A subset of axios for custom functions, based on `fetch`: text and JSON requests, instances, errors. */
import type { Load } from './host.ts'

declare const load: Load

interface Config {
  url?: string
  method?: string
  baseURL?: string
  params?: Record<string, unknown> | { toString(): string }
  data?: unknown
  headers?: Record<string, unknown>
  auth?: { username: string; password: string }
  responseType?: string
  timeout?: number
  validateStatus?: ((status: number) => boolean) | null
}

interface Answer {
  data: unknown
  status: number
  statusText: string
  headers: Record<string, string>
  config: Config
}

class AxiosError extends Error {
  override readonly name = 'AxiosError'
  readonly isAxiosError = true
  readonly code: string
  readonly config: Config
  readonly response: Answer | undefined
  readonly status: number | undefined
  constructor(message: string, details: { code: string; config: Config; response?: Answer }) {
    super(message)
    this.code = details.code
    this.config = details.config
    this.response = details.response
    this.status = details.response?.status
  }
}

function addressOf({ url = '', baseURL, params }: Config): string {
  const isWhole = /^[a-z][a-z\d+.-]*:\/\//i.test(url)
  const address = baseURL && !isWhole ? `${baseURL.replace(/\/$/, '')}/${url.replace(/^\//, '')}` : url
  const query = queryOf(params)
  return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`
}

function queryOf(params: Config['params']): string {
  if (!params) return ''
  if (String(params) !== '[object Object]') return String(params)
  const pair = (name: string, value: unknown) => `${encodeURIComponent(name)}=${encodeURIComponent(printed(value))}`
  return Object.entries(params)
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((each) => pair(`${name}[]`, each)) : [pair(name, value)],
    )
    .join('&')
}

const printed = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function bodyOf(data: unknown, headers: Record<string, string>): string | undefined {
  if (data === undefined || data === null) return undefined
  const isForm = data instanceof load('web-url').URLSearchParams
  if (typeof data === 'object' && !isForm) {
    headers['content-type'] ??= 'application/json'
    return JSON.stringify(data)
  }
  headers['content-type'] ??= 'application/x-www-form-urlencoded'
  return String(data)
}

function headersOf({ headers = {}, auth }: Config): Record<string, string> {
  const own: Record<string, string> = { accept: 'application/json, text/plain, */*' }
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && value !== null) own[name.toLowerCase()] = String(value)
  if (auth) {
    const { Buffer } = load('buffer')
    own.authorization = `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`
  }
  return own
}

function read(text: string, { responseType = 'json' }: Config): unknown {
  if (responseType === 'text') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function send(config: Config): Promise<Answer> {
  const { responseType = 'json', validateStatus = (status: number) => status >= 200 && status < 300 } = config
  if (!['json', 'text'].includes(responseType)) {
    throw new AxiosError(`responseType '${responseType}' is not available. Use the HTTP node for files.`, {
      code: 'ERR_NOT_SUPPORT',
      config,
    })
  }
  const headers = headersOf(config)
  const body = bodyOf(config.data, headers)
  const method = (config.method ?? 'get').toUpperCase()
  const answer = await fetch(addressOf(config), { method, headers, body }).catch((cause: Error) => {
    throw new AxiosError(cause.message, { code: 'ERR_NETWORK', config })
  })
  const response: Answer = {
    data: read(await answer.text(), config),
    status: answer.status,
    statusText: answer.statusText,
    headers: Object.fromEntries(answer.headers.entries()),
    config,
  }
  if (!validateStatus || validateStatus(answer.status)) return response
  const code = answer.status >= 500 ? 'ERR_BAD_RESPONSE' : 'ERR_BAD_REQUEST'
  throw new AxiosError(`Request failed with status code ${answer.status}`, { code, config, response })
}

/** Applies the timeout to the response. The request itself continues until the function ends. */
function inTime(config: Config, answer: Promise<Answer>): Promise<Answer> {
  const { timeout } = config
  if (!timeout) return answer
  const late = load('timers')
    .promises.setTimeout(timeout)
    .then(() => {
      throw new AxiosError(`timeout of ${timeout}ms exceeded`, { code: 'ECONNABORTED', config })
    })
  return Promise.race([answer, late])
}

function createInstance(defaults: Config) {
  const request = (first: string | Config, second: Config = {}): Promise<Answer> => {
    const given = typeof first === 'string' ? { ...second, url: first } : first
    const config = { ...defaults, ...given, headers: { ...defaults.headers, ...given.headers } }
    return inTime(config, send(config))
  }
  const bare = (method: string) => (url: string, config?: Config) => request({ ...config, method, url })
  const withData = (method: string) => (url: string, data?: unknown, config?: Config) =>
    request({ ...config, method, url, data })
  return Object.assign(request, {
    request,
    defaults,
    get: bare('get'),
    delete: bare('delete'),
    head: bare('head'),
    options: bare('options'),
    post: withData('post'),
    put: withData('put'),
    patch: withData('patch'),
    getUri: (config: Config) => addressOf({ ...defaults, ...config }),
  })
}

const axios = Object.assign(createInstance({ headers: {} }), {
  create: (config: Config = {}) => createInstance(config),
  isAxiosError: (thrown: unknown) => (thrown as AxiosError | undefined)?.isAxiosError === true,
  AxiosError,
  all: <T>(promises: T[]) => Promise.all(promises),
})

export default Object.assign(axios, { default: axios })
