/** Parts that definitions of models and tools share. */
import type { CredentialDefinition, InputParam } from './definition.ts'

/** Returns an optional input under "Additional parameters": a text, unless `rest` has another type. */
export function additionalParam(label: string, name: string, rest: Partial<InputParam> = {}): InputParam {
  return { label, name, type: 'string', optional: true, additionalParams: true, ...rest }
}

/** Returns the input that selects the credential of a component. */
export function connectCredential({ name }: CredentialDefinition, rest: Partial<InputParam> = {}): InputParam {
  return { label: 'Connect credential', name: 'credential', type: 'credential', credentialNames: [name], ...rest }
}

type KeyCredential = Pick<CredentialDefinition, 'label' | 'name' | 'description' | 'hosts'> & { version?: number }

/** Returns the definition of a credential that is one secret. */
export function keyCredential(
  { version = 1, ...definition }: KeyCredential,
  { label = `${definition.label} key`, name }: { label?: string; name: string },
): CredentialDefinition {
  return { ...definition, version, inputs: [{ label, name, type: 'password' }] }
}

interface OAuthPreset {
  authorizationUrl: string
  accessTokenUrl: string
  scope: string
  /** More parameters of the authorization request, as a query string. */
  additionalParameters?: string
}

/**
 * Returns the definition of a credential that a person connects at an OAuth 2 provider. Its fields are named as in
 * Flowise. What a preset knows is under "More settings".
 */
export function oauthCredential(
  definition: Pick<CredentialDefinition, 'label' | 'name' | 'description' | 'hosts'> & { version?: number },
  preset?: OAuthPreset,
): CredentialDefinition {
  const known = preset && { optional: true, additionalParams: true }
  return {
    version: 1,
    ...definition,
    oauth: true,
    inputs: [
      {
        label: 'Authorization URL',
        name: 'authorizationUrl',
        type: 'string',
        isAddress: true,
        placeholder: 'https://example.com/oauth/authorize',
        ...(preset && { default: preset.authorizationUrl }),
        ...known,
      },
      {
        label: 'Access token URL',
        name: 'accessTokenUrl',
        type: 'string',
        isAddress: true,
        placeholder: 'https://example.com/oauth/token',
        ...(preset && { default: preset.accessTokenUrl }),
        ...known,
      },
      { label: 'Client ID', name: 'clientId', type: 'string' },
      {
        label: 'Client secret',
        name: 'clientSecret',
        type: 'password',
        ...(!preset && { optional: true, description: 'Leave empty for a public client.' }),
      },
      {
        label: 'Scope',
        name: 'scope',
        type: 'string',
        optional: true,
        description: 'Permissions to request, separated by spaces.',
        ...(preset && { default: preset.scope }),
      },
      additionalParam('Additional parameters', 'additionalParameters', {
        description: 'Added to the authorization URL.',
        placeholder: 'access_type=offline&prompt=consent',
        ...(preset?.additionalParameters && { default: preset.additionalParameters }),
      }),
      additionalParam('Client authentication', 'clientAuthentication', {
        type: 'options',
        description: 'How the token request authenticates.',
        options: [
          { label: 'In the body', name: 'body' },
          { label: 'Basic authentication', name: 'basic' },
          { label: 'None (public client)', name: 'none' },
        ],
        default: 'body',
      }),
      additionalParam('Issuer', 'issuer', {
        description: 'If set, responses from any other issuer are rejected.',
        placeholder: 'https://example.com',
      }),
    ],
  }
}
