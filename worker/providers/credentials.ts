/** Credential types that components of several rooms share. */
import { keyCredential } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'

export const cohereApi = keyCredential(
  { label: 'Cohere API', name: 'cohereApi', hosts: ['api.cohere.com', 'api.cohere.ai'] },
  { name: 'cohereApiKey' },
)

export const jinaAIApi = keyCredential(
  { label: 'Jina AI API', name: 'jinaAIApi', hosts: ['api.jina.ai'] },
  { name: 'jinaAIAPIKey' },
)

export const voyageAIApi: CredentialDefinition = {
  label: 'Voyage AI API',
  name: 'voyageAIApi',
  hosts: ['api.voyageai.com'],
  version: 1,
  inputs: [
    { label: 'Voyage AI API key', name: 'apiKey', type: 'password' },
    {
      label: 'Voyage AI endpoint',
      name: 'endpoint',
      type: 'string',
      isAddress: true,
      optional: true,
      placeholder: 'https://api.voyageai.com/v1/embeddings',
    },
  ],
}

export const cloudflareWorkersAI: CredentialDefinition = {
  label: 'Cloudflare Workers AI',
  name: 'cloudflareWorkersAI',
  hosts: ['api.cloudflare.com'],
  version: 1,
  inputs: [
    { label: 'Cloudflare account ID', name: 'cloudflareWorkersAccountID', type: 'string' },
    { label: 'Cloudflare AI API key', name: 'cloudflareWorkersAIKey', type: 'password' },
  ],
}

export const awsApi: CredentialDefinition = {
  label: 'AWS security credentials',
  name: 'awsApi',
  hosts: ['*.amazonaws.com', '*.amazonaws.com.cn'],
  version: 1,
  description: 'The access key of an IAM user who can list the bucket and read its objects.',
  inputs: [
    { label: 'AWS access key', name: 'awsKey', type: 'string' },
    { label: 'AWS secret access key', name: 'awsSecret', type: 'password' },
    { label: 'AWS session key', name: 'awsSession', type: 'password', optional: true },
  ],
}
