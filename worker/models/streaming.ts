/** The setting that says whether a chat model streams its answers. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ModelProvider } from './types.ts'

const streaming = additionalParam('Streaming', 'streaming', {
  type: 'boolean',
  default: true,
  description: 'Turn off for models that may not stream. The answer then appears at once.',
})

/** Adds the setting to a provider's inputs, and to the models that it opens. */
export function withStreaming({ definition, open, ...provider }: ModelProvider): ModelProvider {
  return {
    ...provider,
    definition: { ...definition, inputs: [...definition.inputs, streaming] },
    async open(request) {
      const { streaming: chosen } = request.config
      return { ...(await open(request)), streams: chosen !== false && chosen !== 'false' }
    },
  }
}
