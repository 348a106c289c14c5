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
    description: 'Your embedding model deployment on Azure',
    credential: azureOpenAIApi,
    inputs: [
      stripNewLines,
      batchSize,
      additionalParam('Base path', 'basepath', {
        placeholder: 'https://my-instance.openai.azure.com/openai/deployments',
        description: 'Used instead of the instance URL',
      }),
      additionalParam('Request headers', 'baseOptions', {
        type: 'json',
        description: 'Sent with each request, as a JSON object',
      }),
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
