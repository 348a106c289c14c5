/** Providers whose servers speak OpenAI's protocol: what differs is their address, their key and their models. */
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { needed, text } from '../../inputs/component-config.ts'
import type { Abilities } from '../abilities.ts'
import { openCompatible } from '../chat-openai-custom.ts'
import {
  additionalNumber,
  allowImageUploads,
  chatModel,
  modelName as modelNameParam,
  temperature,
  topP,
} from '../definition.ts'
import type { ModelProvider } from '../types.ts'

interface Hosted {
  label: string
  name: string
  type: string
  version: number
  description: string
  credential: CredentialDefinition
  /** The field of the credential that is sent as Bearer. */
  key: string
  models: [string, ...string[]]
  /** A text, or made of the config and the credential. */
  address: string | ((values: { config: Record<string, unknown>; credential: Record<string, unknown> }) => string)
  inputs?: InputParam[]
  /** What its servers take, where that differs from OpenAI's. */
  abilities?: Partial<Abilities>
}

export function hostedModel({ key, models, address, inputs = [], abilities, ...parts }: Hosted): ModelProvider {
  const { label, credential } = parts
  return {
    definition: chatModel({
      ...parts,
      inputs: [
        modelNameParam(models),
        ...inputs,
        temperature,
        allowImageUploads,
        additionalNumber('Max tokens', 'maxTokens', { step: 1 }),
        topP,
        additionalNumber('Frequency penalty', 'frequencyPenalty', { step: 0.1 }),
        additionalNumber('Presence penalty', 'presencePenalty', { step: 0.1 }),
        additionalNumber('Timeout', 'timeout', { step: 1, description: 'In milliseconds' }),
        additionalParam('Base path', 'basepath', { description: 'Used instead of the provider’s URL' }),
        additionalParam('Request headers', 'baseOptions', {
          type: 'json',
          description: 'Sent with each request, as a JSON object',
        }),
      ],
    }),
    credential,
    async open(request) {
      const { config, credential: fields } = request
      const modelName = needed(text(config, 'modelName'), label, 'Model name')
      const apiKey = needed(text(fields, key), label, 'the API key in the credential')
      const own = typeof address === 'string' ? address : address({ config, credential: fields })
      return openCompatible({
        baseURL: text(config, 'basepath') ?? own,
        modelName,
        apiKey,
        abilities,
        request,
      })
    },
  }
}
