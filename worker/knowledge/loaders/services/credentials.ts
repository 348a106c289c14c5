/** Credential types of loaders. */
import { keyCredential } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'

export const githubApi: CredentialDefinition = keyCredential(
  {
    label: 'Github API',
    name: 'githubApi',
    hosts: ['api.github.com'],
    description: 'A personal access token that can read the repository’s contents.',
  },
  { label: 'Access token', name: 'accessToken' },
)

export const notionApi: CredentialDefinition = keyCredential(
  {
    label: 'Notion API',
    name: 'notionApi',
    hosts: ['api.notion.com'],
    description: 'The secret of an internal integration. Share the page or database with it in Notion.',
  },
  { label: 'Notion API', name: 'notionApi' },
)

export const confluenceCloudApi: CredentialDefinition = {
  label: 'Confluence Cloud API',
  name: 'confluenceCloudApi',
  version: 1,
  description: 'An API token for Confluence Cloud, or a personal access token for Confluence Data Center.',
  inputs: [
    { label: 'Access token', name: 'accessToken', type: 'password' },
    {
      label: 'Username',
      name: 'username',
      type: 'string',
      optional: true,
      description: 'The email address of the account. Leave empty for Confluence Data Center.',
    },
  ],
}
