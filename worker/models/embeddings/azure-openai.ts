import { additionalParam } from '#contract/flow/params/builders.ts'
import { headers, text } from '../../inputs/component-config.ts'
import { azureDeployment, azureOpenAIApi } from '../hosted/azure-openai.ts'
import { batchSize, embeddingsDefinition, stripNewLines } from './definition.ts'
import { openEmbeddings } from './embeddings.ts'
import { postForVectors, readIndexed } from './plain-request.ts'
import type { EmbedderType } from './types.ts'

const LABEL = 'Azure OpenAI'

export const azureOpenAIEmbeddings: EmbedderType = {
  definition: embeddingsDefinition({
    label: 'Azure OpenAI Embedding',
    name: 'azureOpenAIEmbeddings',
    type: 'AzureOpenAIEmbeddings',
    version: 2,
    description: 'The embedding model that you deployed on Azure',
    credential: azureOpenAIApi,
    inputs: [
      stripNewLines,
      batchSize,
      additionalParam('Base Path', 'basepath', {
        placeholder: 'https://my-instance.openai.azure.com/openai/deployments',
        description: 'Instead of the address of the instance',
      }),
      additionalParam('Base Options', 'baseOptions', { type: 'json', description: 'Extra request headers' }),
    ],
  }),
  credential: azureOpenAIApi,

  open(context) {
    const { config, credential } = context
    const { key, address, query } = azureDeployment(config, credential)
    return openEmbeddings(context, {
      label: LABEL,
      identity: ['azureOpenAIEmbeddings', text(credential, 'azureOpenAIApiDeploymentName'), address],
      maxBatch: 2048,
      async embed({ texts, signal }) {
        const request = {
          service: LABEL,
          url: `${address}/embeddings${query}`,
          headers: { ...headers(config, 'baseOptions'), 'api-key': key },
          body: { input: texts },
        }
        return readIndexed(await postForVectors(request, context, signal))
      },
    })
  },
}
