/** Failures that a provider reports inside a stream, where there is no HTTP status to judge them by. */
import { APICallError } from '@ai-sdk/provider'
import { isRecord } from '#contract/data/json.ts'

/** What another call does not mend. */
const PERMANENT = /quota|authentication|permission|not_found|invalid|bad_request|context_length/

/** @param frame `{error: {message, type, code}}`, `{error: "text"}` or `{message, type, code}` */
export function streamError(frame: Record<string, unknown>): APICallError {
  const error = isRecord(frame.error) ? frame.error : frame
  const status = statusOf(error.code)
  const isPermanent = PERMANENT.test(`${error.code} ${error.type}`.toLowerCase())
  const message = [error.message, frame.error].find((text) => typeof text === 'string') ?? 'The model reported an error'
  return new APICallError({
    message: String(message),
    url: '',
    requestBodyValues: {},
    statusCode: status,
    responseBody: JSON.stringify(frame),
    isRetryable: !isPermanent && (status === undefined || [408, 409, 429].includes(status) || status >= 500),
  })
}

function statusOf(code: unknown): number | undefined {
  const status = Number(code)
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined
}
