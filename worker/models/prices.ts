/** List prices of known models in US dollars per million tokens: [input, output]. */
import type { ModelPrice } from './types.ts'

type PriceList = Record<string, [input: number, output: number]>

const prices: Record<'openai' | 'anthropic' | 'google' | 'mistral' | 'groq', PriceList> = {
  openai: {
    'gpt-5': [1.25, 10],
    'gpt-5-mini': [0.25, 2],
    'gpt-5-nano': [0.05, 0.4],
    'gpt-4.1': [2, 8],
    'gpt-4.1-mini': [0.4, 1.6],
    'gpt-4.1-nano': [0.1, 0.4],
    'gpt-4o': [2.5, 10],
    'gpt-4o-mini': [0.15, 0.6],
    'gpt-4-turbo': [10, 30],
    'gpt-4': [30, 60],
    'gpt-3.5-turbo': [0.5, 1.5],
    'o4-mini': [1.1, 4.4],
    o3: [2, 8],
    'o3-mini': [1.1, 4.4],
    o1: [15, 60],
  },
  anthropic: {
    'claude-opus-4-5': [5, 25],
    'claude-opus-4-1': [15, 75],
    'claude-opus-4-0': [15, 75],
    'claude-opus-4': [15, 75],
    'claude-sonnet-4-5': [3, 15],
    'claude-sonnet-4-0': [3, 15],
    'claude-sonnet-4': [3, 15],
    'claude-haiku-4-5': [1, 5],
    'claude-3-7-sonnet': [3, 15],
    'claude-3-5-sonnet': [3, 15],
    'claude-3-5-haiku': [0.8, 4],
    'claude-3-opus': [15, 75],
    'claude-3-haiku': [0.25, 1.25],
  },
  google: {
    'gemini-3-pro': [2, 12],
    'gemini-2.5-pro': [1.25, 10],
    'gemini-2.5-flash': [0.3, 2.5],
    'gemini-2.5-flash-lite': [0.1, 0.4],
    'gemini-2.0-flash': [0.1, 0.4],
    'gemini-2.0-flash-lite': [0.075, 0.3],
    'gemini-1.5-pro': [1.25, 5],
    'gemini-1.5-flash': [0.075, 0.3],
  },
  mistral: {
    'mistral-large': [2, 6],
    'mistral-medium': [0.4, 2],
    'mistral-small': [0.1, 0.3],
    codestral: [0.3, 0.9],
    'ministral-8b': [0.1, 0.1],
    'ministral-3b': [0.04, 0.04],
    'open-mistral-nemo': [0.15, 0.15],
  },
  groq: {
    'llama-3.3-70b-versatile': [0.59, 0.79],
    'llama-3.1-8b-instant': [0.05, 0.08],
    'openai/gpt-oss-120b': [0.15, 0.6],
    'openai/gpt-oss-20b': [0.075, 0.3],
    'meta-llama/llama-4-scout-17b-16e-instruct': [0.11, 0.34],
    'meta-llama/llama-4-maverick-17b-128e-instruct': [0.2, 0.6],
    'qwen/qwen3-32b': [0.29, 0.59],
  },
}

/** Suffix of a release of the same model: `-2024-07-18`, `-20250929`, `-001`, `-latest`, `-preview`. */
const RELEASE = /^-(latest|preview|exp|\d{3})/

export function findPrice(provider: keyof typeof prices, modelName: string): ModelPrice | undefined {
  const list = prices[provider]
  const known = Object.keys(list).find((name) => {
    const rest = modelName.slice(name.length)
    return modelName.startsWith(name) && (rest === '' || RELEASE.test(rest))
  })
  if (known === undefined) return undefined
  const [input, output] = list[known] as [number, number]
  return { input, output }
}
