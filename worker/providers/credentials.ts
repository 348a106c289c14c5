/** Credential types that components of several rooms share. */
import { keyCredential } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'

export const cohereApi = keyCredential({ label: 'Cohere API', name: 'cohereApi' }, { name: 'cohereApiKey' })

export const jinaAIApi = keyCredential({ label: 'Jina AI API', name: 'jinaAIApi' }, { name: 'jinaAIAPIKey' })

export const voyageAIApi: CredentialDefinition = {
  label: 'Voyage AI API',
  name: 'voyageAIApi',
  version: 1,
  inputs: [
    { label: 'Voyage AI API Key', name: 'apiKey', type: 'password' },
    {
      label: 'Voyage AI Endpoint',
      name: 'endpoint',
      type: 'string',
      optional: true,
      placeholder: 'https://api.voyageai.com/v1/embeddings',
    },
  ],
}

export const cloudflareWorkersAI: CredentialDefinition = {
  label: 'Cloudflare Workers AI',
  name: 'cloudflareWorkersAI',
  version: 1,
  inputs: [
    { label: 'Cloudflare Account ID', name: 'cloudflareWorkersAccountID', type: 'string' },
    { label: 'Cloudflare AI API Key', name: 'cloudflareWorkersAIKey', type: 'password' },
  ],
}

export const awsApi: CredentialDefinition = {
  label: 'AWS security credentials',
  name: 'awsApi',
  version: 1,
  description: 'The access key of an IAM user that may list the bucket and read its objects.',
  inputs: [
    { label: 'AWS Access Key', name: 'awsKey', type: 'string' },
    { label: 'AWS Secret Access Key', name: 'awsSecret', type: 'password' },
    { label: 'AWS Session Key', name: 'awsSession', type: 'password', optional: true },
  ],
}
