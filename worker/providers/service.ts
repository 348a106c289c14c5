/** Calls the services of providers: their JSON, their refusals in their own words, and no secret in a message. */
import { APICallError } from '@ai-sdk/provider'
import { errorMessage } from '#contract/errors.ts'
import { callService, type Network, type ServiceCall, ServiceError } from './json-api.ts'
import { providerError } from './provider-error.ts'
import type { ComponentContext } from './types.ts'

/** Vectors of a hundred texts, written in digits. */
const MAX_BYTES = 24 * 1024 ** 2
const TIMEOUT_MS = 120_000

/** Returns the JSON that the service answers; undefined when it answers nothing. @throws ServiceError */
export async function callServiceJson(call: ServiceCall, network: Network): Promise<unknown> {
  const response = await callService({ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, ...call }, network)
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${call.service} did not return JSON: ${text.slice(0, 200)}`)
  }
}

/** The provider's own words, for people. A job pauses with them. */
export class ProviderRefusal extends Error {
  override name = 'ProviderRefusal'
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/**
 * Does the work of one component. A refusal of its provider becomes a `ProviderRefusal` in the provider's own words, an
 * error of a provider that takes too long names it, and no value of the credential remains in a message.
 */
export async function asProvider<Result>(
  service: string,
  credential: ComponentContext['credential'],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw withoutSecrets(providerProblem(service, error), credential)
  }
}

const REFUSALS = [401, 403, 429]

function providerProblem(service: string, error: unknown): Error {
  if (error instanceof ServiceError && REFUSALS.includes(error.status))
    return new ProviderRefusal(`${service}: ${error.reason || error.message} (HTTP ${error.status})`, error.status)
  if (error instanceof Error && error.name === 'TimeoutError') return new Error(`${service} did not answer in time`)
  if (!APICallError.isInstance(error)) return error instanceof Error ? error : new Error(errorMessage(error))
  const { message } = providerError(error)
  const { statusCode } = error
  if (statusCode === undefined || !REFUSALS.includes(statusCode)) return new Error(`${service}: ${message}`)
  return new ProviderRefusal(`${service}: ${message}`, statusCode)
}

const MIN_SECRET_CHARS = 6

function withoutSecrets(error: Error, credential: ComponentContext['credential']): Error {
  const secrets = Object.values(credential).filter(
    (value): value is string => typeof value === 'string' && value.length >= MIN_SECRET_CHARS,
  )
  const hidden = secrets.reduce((message, secret) => message.replaceAll(secret, '•••'), error.message)
  if (hidden === error.message) return error
  return error instanceof ProviderRefusal ? new ProviderRefusal(hidden, error.status) : new Error(hidden)
}
