/** The usual answer of a chat completion that comes at once: a text, and nothing else. */
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { toUsage, unifiedReason } from './chat-completions.ts'

/** What a message may have beside its text and be no more than that text. */
const PLAIN = new Set(['role', 'content'])

/** Returns undefined for an answer that has more to it, or is none: the provider's SDK reads that. */
export function readPlainText(body: string): LanguageModelV4GenerateResult | undefined {
  const answer = tryParseJson(body)
  if (!isRecord(answer) || answer.error || !Array.isArray(answer.choices)) return undefined
  const {
    choices: [choice],
    usage,
  } = answer as { choices: unknown[]; usage: unknown }
  if (!isRecord(usage) || ![usage.prompt_tokens, usage.completion_tokens].every(Number.isFinite)) return undefined
  if (!isRecord(choice) || !isRecord(choice.message) || typeof choice.finish_reason !== 'string') return undefined
  const { message, finish_reason: raw } = choice
  if (message.role !== 'assistant' || typeof message.content !== 'string' || message.content === '') return undefined
  if (Object.entries(message).some(([name, value]) => !PLAIN.has(name) && !isNothing(value))) return undefined
  return {
    content: [{ type: 'text', text: message.content }],
    finishReason: { unified: unifiedReason(raw), raw },
    usage: toUsage(usage),
    warnings: [],
  }
}

const isNothing = (value: unknown) =>
  value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)
