/** The chat model providers, one line each. */
import type { ModelProvider } from './types.ts'

export const models: ModelProvider[] = []
