/** List prices of known embedding models in US dollars per million tokens. */

const prices: Record<
  'openai' | 'google' | 'mistral' | 'cohere' | 'voyage' | 'jina' | 'cloudflare',
  Record<string, number>
> = {
  openai: { 'text-embedding-3-small': 0.02, 'text-embedding-3-large': 0.13, 'text-embedding-ada-002': 0.1 },
  google: { 'gemini-embedding-001': 0.15 },
  mistral: { 'mistral-embed': 0.1, 'codestral-embed': 0.15 },
  cohere: {
    'embed-v4.0': 0.12,
    'embed-english-v3.0': 0.1,
    'embed-multilingual-v3.0': 0.1,
    'embed-english-light-v3.0': 0.1,
    'embed-multilingual-light-v3.0': 0.1,
  },
  voyage: {
    'voyage-3.5': 0.06,
    'voyage-3.5-lite': 0.02,
    'voyage-3-large': 0.18,
    'voyage-3': 0.06,
    'voyage-3-lite': 0.02,
    'voyage-code-3': 0.18,
    'voyage-finance-2': 0.12,
    'voyage-law-2': 0.12,
    'voyage-multilingual-2': 0.12,
  },
  jina: { 'jina-embeddings-v3': 0.02, 'jina-embeddings-v4': 0.02, 'jina-embeddings-v2-base-en': 0.02 },
  cloudflare: {
    '@cf/baai/bge-small-en-v1.5': 0.02,
    '@cf/baai/bge-base-en-v1.5': 0.067,
    '@cf/baai/bge-large-en-v1.5': 0.204,
    '@cf/baai/bge-m3': 0.012,
  },
}

/** Returns undefined for a model whose price is unknown. */
export function embeddingPriceOf(provider: keyof typeof prices, modelName: string): number | undefined {
  return Object.hasOwn(prices[provider], modelName) ? prices[provider][modelName] : undefined
}
