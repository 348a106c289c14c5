/** Errors as OpenAI's clients read them. */
import { openAiErrorSchema } from '#contract/openai/chat-completions.ts'
import type { AnsweredError, ErrorForm } from '../../http/route.ts'

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

export function openAiError({ status, message, field, code }: AnsweredError) {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return { error: { message, type, param: field ?? null, code: typeof code === 'string' ? code : null } }
}

export const errorForm: ErrorForm = { schema: openAiErrorSchema, bodyOf: openAiError }
