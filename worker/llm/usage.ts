/** Tokens and cost of model calls. */
import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { UsageMetadata } from '#contract/runs/events.ts'
import type { ModelPrice } from '../models/types.ts'

/** @param price US dollars per million tokens; without it the usage has no cost */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage, price?: ModelPrice): UsageMetadata {
  const input_tokens = inputTokens.total ?? 0
  const output_tokens = outputTokens.total ?? 0
  const total_tokens = input_tokens + output_tokens
  if (!price) return { input_tokens, output_tokens, total_tokens }
  const input_cost = (input_tokens * price.input) / 1e6
  const output_cost = (output_tokens * price.output) / 1e6
  return { input_tokens, output_tokens, total_tokens, input_cost, output_cost, total_cost: input_cost + output_cost }
}
