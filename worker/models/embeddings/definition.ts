/** Shared parts of the definitions of embedders. */
import { connectCredential } from '#contract/flow/params/builders.ts'
import { EMBEDDINGS_CATEGORY } from '#contract/flow/params/categories.ts'
import type { ComponentDefinition, CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { additionalNumber } from '../definition.ts'

interface EmbeddingsParts
  extends Pick<ComponentDefinition, 'label' | 'name' | 'type' | 'version' | 'description' | 'hint'> {
  credential?: CredentialDefinition
  credentialOptional?: boolean
  inputs: InputParam[]
}

export function embeddingsDefinition({
  credential,
  credentialOptional,
  ...parts
}: EmbeddingsParts): ComponentDefinition {
  return {
    ...parts,
    category: EMBEDDINGS_CATEGORY,
    baseClasses: [parts.type, 'Embeddings'],
    ...(credential && { credential: connectCredential(credential, { optional: credentialOptional ?? false }) }),
  }
}

export const stripNewLines: InputParam = {
  label: 'Strip new lines',
  name: 'stripNewLines',
  type: 'boolean',
  optional: true,
  additionalParams: true,
  description: 'Replace line breaks with spaces before embedding',
}

export const batchSize = additionalNumber('Batch size', 'batchSize', {
  step: 1,
  description: 'Texts per request',
})

export const timeout = additionalNumber('Timeout', 'timeout', { step: 1, description: 'In milliseconds' })

export const dimensions = additionalNumber('Dimensions', 'dimensions', {
  step: 1,
  description: 'Vector length, for models that support it',
})
