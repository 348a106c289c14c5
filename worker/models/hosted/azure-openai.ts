import { additionalParam } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { headers, needed, number, text } from '../../inputs/component-config.ts'
import { loadOnce } from '../../providers/load-once.ts'
import { adaptRequests } from '../abilities.ts'
import { openAISettings } from '../chat-openai.ts'
import { additionalNumber, allowImageUploads, chatModel, modelName, temperature, topP } from '../definition.ts'
import { modelFetch } from '../model-fetch.ts'
import { findPrice } from '../prices.ts'
import { loadReading } from '../streams/load-reading.ts'
import { enforcingStrictSchemas } from '../strict-schemas.ts'
import type { ModelProvider } from '../types.ts'

const loadSdk = loadOnce(() => import('@ai-sdk/openai/internal'))
const LABEL = 'Azure OpenAI'
const DEFAULT_VERSION = '2024-10-21'

export const azureOpenAIApi: CredentialDefinition = {
  label: 'Azure OpenAI API',
  name: 'azureOpenAIApi',
  hosts: ['{azureOpenAIApiInstanceName}.openai.azure.com'],
  version: 1,
  inputs: [
    { label: 'Azure OpenAI API key', name: 'azureOpenAIApiKey', type: 'password' },
    {
      label: 'Azure OpenAI API instance name',
      name: 'azureOpenAIApiInstanceName',
      type: 'string',
      isAddress: true,
      placeholder: 'my-instance',
      description: 'The first part of its URL: my-instance.openai.azure.com',
    },
    { label: 'Azure OpenAI API deployment name', name: 'azureOpenAIApiDeploymentName', type: 'string' },
    {
      label: 'Azure OpenAI API version',
      name: 'azureOpenAIApiVersion',
      type: 'string',
      placeholder: DEFAULT_VERSION,
    },
  ],
}

/** A resource's name is part of a host's name. */
const INSTANCE = /^[a-z0-9][a-z0-9-]{0,62}$/i

export const azureChatOpenAI: ModelProvider = {
  definition: chatModel({
    label: LABEL,
    name: 'azureChatOpenAI',
    type: 'AzureChatOpenAI',
    version: 7.1,
    description: 'OpenAI’s models on Azure',
    credential: azureOpenAIApi,
    inputs: [
      modelName(['gpt-4o-mini', 'gpt-4o', 'gpt-4.1', 'gpt-4.1-mini', 'gpt-5', 'gpt-5-mini', 'o4-mini']),
      temperature,
      allowImageUploads,
      additionalNumber('Max tokens', 'maxTokens', { step: 1 }),
      topP,
      additionalNumber('Frequency penalty', 'frequencyPenalty', { step: 0.1 }),
      additionalNumber('Presence penalty', 'presencePenalty', { step: 0.1 }),
      additionalNumber('Timeout', 'timeout', { step: 1, description: 'In milliseconds' }),
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

  async open({ config, credential, egress }) {
    const [{ OpenAIChatLanguageModel }, { readingAnswers }] = await Promise.all([loadSdk(), loadReading()])
    const name = needed(text(config, 'modelName'), LABEL, 'Model name')
    const { key, address, query } = azureDeployment(config, credential)
    const settings = {
      provider: 'openai',
      url: ({ path }: { path: string }) => `${address}${path}${query}`,
      headers: () => ({ 'api-key': key, ...headers(config, 'baseOptions') }),
    }
    const model = readingAnswers((send) => new OpenAIChatLanguageModel(name, { ...settings, fetch: send }), {
      send: adaptRequests(modelFetch(egress, number(config, 'timeout'))),
      modelId: name,
    })
    return {
      model: enforcingStrictSchemas(model, 'openai'),
      modelName: name,
      settings: openAISettings(config),
      price: findPrice('openai', name),
    }
  },
}

type Values = Record<string, unknown>

/** Returns where the deployment of a credential is, and its key. @throws ConfigError that names what is missing */
export function azureDeployment(config: Values, credential: Values) {
  const named = (field: string, what: string) => needed(text(credential, field), LABEL, `${what} in the credential`)
  const key = named('azureOpenAIApiKey', 'the API key')
  const deployment = encodeURIComponent(named('azureOpenAIApiDeploymentName', 'the deployment name'))
  const base = text(config, 'basepath') ?? buildAddress(named('azureOpenAIApiInstanceName', 'the instance name'))
  const version = text(credential, 'azureOpenAIApiVersion') ?? DEFAULT_VERSION
  return { key, address: `${base}/${deployment}`, query: `?api-version=${encodeURIComponent(version)}` }
}

function buildAddress(instance: string): string {
  if (!INSTANCE.test(instance))
    throw new Error(`${LABEL}: the instance name is the first part of its address, like my-instance`)
  return `https://${instance}.openai.azure.com/openai/deployments`
}
