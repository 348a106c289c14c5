import { expect, it } from 'vitest'
import { findPrice } from './prices.ts'

it.each([
  ['openai', 'gpt-4o-mini', 0.15],
  ['openai', 'gpt-4o-mini-2024-07-18', 0.15],
  ['openai', 'gpt-4o', 2.5],
  ['openai', 'gpt-4o-2024-08-06', 2.5],
  ['openai', 'gpt-4o-realtime', undefined],
  ['openai', 'gpt-9', undefined],
  ['openai', 'ft:gpt-4o-mini:acme', undefined],
  ['anthropic', 'claude-sonnet-4-5-20250929', 3],
  ['anthropic', 'claude-opus-4-5', 5],
  ['anthropic', 'claude-opus-4-20250514', 15],
  ['anthropic', 'claude-opus-4-9', undefined],
  ['anthropic', 'claude-3-7-sonnet-latest', 3],
  ['google', 'gemini-2.0-flash-001', 0.1],
  ['google', 'gemini-2.0-flash-lite', 0.075],
  ['google', 'gemini-3-pro-preview', 2],
  ['mistral', 'mistral-medium-latest', 0.4],
  ['groq', 'openai/gpt-oss-20b', 0.075],
  ['groq', '', undefined],
] as const)('%s %s costs %s dollars per million input tokens', (provider, model, input) => {
  expect(findPrice(provider, model)?.input).toBe(input)
})
