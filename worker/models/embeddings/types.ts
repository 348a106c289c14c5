/** An embedder: its definition for the canvas, and how to open it. One file per provider. */
import type { Component, ComponentContext } from '../../providers/types.ts'

export interface Embeddings {
  /** In the order of the texts; at most `maxBatch` of them. Throws `ProviderRefusal` for 401, 403 and 429. */
  embed(
    texts: string[],
    kind: 'document' | 'query',
    signal: AbortSignal,
  ): Promise<{ vectors: number[][]; tokens: number }>
  maxBatch: number
  /** US dollars for a million tokens; undefined: unknown. */
  price?: number
  /** Equal texts mean equal vectors: component, model, dimensions. */
  identity: string
}

export interface EmbedderType extends Component {
  open(context: ComponentContext): Embeddings
}
