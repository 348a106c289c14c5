import { additionalParam } from '#contract/flow/params/builders.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { ConfigError, isOn, needed, number, present, text } from '../../inputs/component-config.ts'
import type { Egress } from '../../ports/types.ts'
import { awsApi } from '../../providers/credentials.ts'
import { loadOnce } from '../../providers/load-once.ts'
import { additionalNumber, allowImageUploads, chatModel, modelName } from '../definition.ts'
import { modelFetch } from '../model-fetch.ts'
import type { ModelProvider } from '../types.ts'

const loadSdk = loadOnce(() => import('@ai-sdk/amazon-bedrock'))
const LABEL = 'AWS Bedrock'
const DEFAULT_REGION = 'us-east-1'

const REGIONS = [
  DEFAULT_REGION,
  'us-east-2',
  'us-west-2',
  'ca-central-1',
  'sa-east-1',
  'eu-central-1',
  'eu-west-1',
  'eu-west-3',
  'eu-north-1',
  'ap-northeast-1',
  'ap-south-1',
  'ap-southeast-1',
  'ap-southeast-2',
]

export const bedrockRegion: InputParam = {
  label: 'Region',
  name: 'region',
  type: 'options',
  freeSolo: true,
  options: REGIONS.map((name) => ({ label: name, name })),
  default: DEFAULT_REGION,
}

export const endpointHost = additionalParam('Custom endpoint host', 'endpointHost', {
  placeholder: 'bedrock-runtime.us-east-1.amazonaws.com',
  description: 'Used instead of the region’s endpoint',
})

export const awsChatBedrock: ModelProvider = {
  definition: chatModel({
    label: LABEL,
    name: 'awsChatBedrock',
    type: 'AWSChatBedrock',
    version: 6.1,
    description: 'Models by Amazon and others on AWS',
    credential: awsApi,
    inputs: [
      bedrockRegion,
      {
        ...modelName([
          'anthropic.claude-haiku-4-5-20251001-v1:0',
          'anthropic.claude-sonnet-4-5-20250929-v1:0',
          'anthropic.claude-opus-4-5-20251101-v1:0',
          'amazon.nova-pro-v1:0',
          'amazon.nova-lite-v1:0',
          'amazon.nova-micro-v1:0',
          'us.meta.llama3-3-70b-instruct-v1:0',
          'openai.gpt-oss-120b-1:0',
        ]),
        name: 'model',
      },
      {
        label: 'Custom model ARN',
        name: 'customModel',
        type: 'string',
        optional: true,
        placeholder: 'arn:aws:bedrock:us-east-1:123456789012:provisioned-model/my-model',
        description: 'Replaces the model selected above',
      },
      endpointHost,
      allowImageUploads,
      additionalNumber('Temperature', 'temperature', { step: 0.1, default: 0.7 }),
      additionalNumber('Max tokens to sample', 'max_tokens_to_sample', { step: 10, default: 200 }),
      additionalParam('Use global inference endpoint', 'useGlobalEndpoint', {
        type: 'boolean',
        default: false,
        description: 'AWS may answer from any region',
      }),
    ],
  }),
  credential: awsApi,

  async open({ config, credential, egress }) {
    const chosen = needed(text(config, 'customModel') ?? text(config, 'model'), LABEL, 'Model name')
    const provider = await openBedrock({ config, credential, egress })
    return {
      model: provider(profileOf(chosen, config)),
      modelName: chosen,
      settings: present({
        temperature: number(config, 'temperature'),
        maxOutputTokens: number(config, 'max_tokens_to_sample'),
      }),
    }
  },
}

interface Account {
  config: Record<string, unknown>
  credential: Record<string, unknown>
  egress: Egress
}

/** Opens the region of an account. Never with what the server's environment holds. @throws ConfigError */
export async function openBedrock({ config, credential, egress }: Account) {
  const region = requireRegion(config)
  const host = text(config, 'endpointHost') ?? `bedrock-runtime.${region}.amazonaws.com`
  if (!HOST.test(host)) throw new ConfigError(`${LABEL}: “${host.slice(0, 100)}” is not the name of a host`)
  const accessKeyId = needed(text(credential, 'awsKey'), LABEL, 'the access key in the credential')
  const secretAccessKey = needed(text(credential, 'awsSecret'), LABEL, 'the secret access key in the credential')
  const { createAmazonBedrock } = await loadSdk()
  return createAmazonBedrock({
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: text(credential, 'awsSession'),
    apiKey: '',
    baseURL: `https://${host}`,
    fetch: modelFetch(egress),
  })
}

const REGION = /^[a-z0-9-]{1,40}$/
const HOST = /^[a-z0-9.-]{1,253}(:\d{1,5})?$/i

function requireRegion(config: Record<string, unknown>): string {
  const region = text(config, 'region') ?? DEFAULT_REGION
  if (REGION.test(region)) return region
  throw new ConfigError(`${LABEL}: “${region.slice(0, 100)}” is no region. Use one such as ${DEFAULT_REGION}.`)
}

/** Models that AWS answers through the inference profile of a part of the world only. */
const BY_PROFILE = /^(anthropic\.claude-[a-z]+-\d|anthropic\.claude-3-7|amazon\.nova-premier|meta\.llama4|deepseek\.r1)/

const PARTS_OF_THE_WORLD = [
  ['us-gov-', 'us-gov'],
  ['us-', 'us'],
  ['ca-', 'us'],
  ['eu-', 'eu'],
  ['ap-', 'apac'],
] as const

function profileOf(model: string, config: Record<string, unknown>): string {
  if (!BY_PROFILE.test(model) && !isOn(config, 'useGlobalEndpoint')) return model
  if (model.startsWith('arn:') || /^(us|us-gov|eu|apac|global)\./.test(model)) return model
  const region = requireRegion(config)
  const [, part = 'global'] = PARTS_OF_THE_WORLD.find(([prefix]) => region.startsWith(prefix)) ?? []
  return `${isOn(config, 'useGlobalEndpoint') ? 'global' : part}.${model}`
}
