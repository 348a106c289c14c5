/** The older node of Hugging Face, which takes the same models by their name. */
import { needed, text } from '../../inputs/component-config.ts'
import type { ModelProvider } from '../types.ts'
import { chatHuggingFace } from './hugging-face.ts'
import { textModelDefinition } from './text-model.ts'

const LABEL = 'HuggingFace Inference'

export const huggingFaceInference: ModelProvider = {
  ...chatHuggingFace,
  definition: textModelDefinition({
    label: LABEL,
    name: 'huggingFaceInference_LLMs',
    version: 2,
    type: 'HuggingFaceInference',
    description: 'Open models on Hugging Face or on your own endpoint',
    deprecateMessage: 'The chat model Hugging Face does the same.',
    credential: chatHuggingFace.definition.credential,
    inputs: [
      { label: 'Model', name: 'model', type: 'string', placeholder: 'openai/gpt-oss-120b', optional: true },
      {
        label: 'Endpoint',
        name: 'endpoint',
        type: 'string',
        placeholder: 'https://xyz.eu-west-1.aws.endpoints.huggingface.cloud/v1',
        description: 'URL of your own server, used instead of Hugging Face’s inference providers',
        optional: true,
      },
    ],
  }),
  open({ config, ...request }) {
    const endpoint = text(config, 'endpoint')
    const modelName = needed(text(config, 'model') ?? (endpoint && 'tgi'), LABEL, 'Model')
    return chatHuggingFace.open({ ...request, config: { ...config, modelName, basepath: endpoint ?? '' } })
  },
}
