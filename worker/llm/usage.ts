/** Tokens and money of the model calls that a step made. */
import type { LanguageModelUsage } from 'ai'
import type { UsageMetadata } from '#contract/events.ts'
import type { ModelPrice } from '../models/types.ts'

/** @param price US dollars per million tokens; costs are absent without it */
export function usageOf(usage: LanguageModelUsage, price?: ModelPrice): UsageMetadata {
  const input_tokens = usage.inputTokens ?? 0
  const output_tokens = usage.outputTokens ?? 0
  const total_tokens = usage.totalTokens ?? input_tokens + output_tokens
  if (!price) return { input_tokens, output_tokens, total_tokens }
  const input_cost = (input_tokens * price.input) / 1e6
  const output_cost = (output_tokens * price.output) / 1e6
  return { input_tokens, output_tokens, total_tokens, input_cost, output_cost, total_cost: input_cost + output_cost }
}

/** The sum; its costs are known only if all parts' are. */
export function addUsage(a: UsageMetadata | undefined, b: UsageMetadata): UsageMetadata {
  if (!a) return b
  const sum: UsageMetadata = {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
  }
  if (a.total_cost === undefined || b.total_cost === undefined) return sum
  return {
    ...sum,
    input_cost: (a.input_cost ?? 0) + (b.input_cost ?? 0),
    output_cost: (a.output_cost ?? 0) + (b.output_cost ?? 0),
    total_cost: a.total_cost + b.total_cost,
  }
}

/** What was used beside the part that is counted already. */
export function lessUsage(all: UsageMetadata, counted: UsageMetadata): UsageMetadata {
  const left: UsageMetadata = {
    input_tokens: all.input_tokens - counted.input_tokens,
    output_tokens: all.output_tokens - counted.output_tokens,
    total_tokens: all.total_tokens - counted.total_tokens,
  }
  return all.total_cost === undefined ? left : { ...left, total_cost: all.total_cost - (counted.total_cost ?? 0) }
}
