/** Google access tokens, obtained with the refresh token of a credential. */
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { needed, text } from '../../models/config.ts'
import { callJson, type Network } from '../web/json-api.ts'

const TOKEN_URL = 'https://oauth2.googleapis.com/token'

/** Returns the credential definition of a Google service. */
export function googleCredential(
  parts: Pick<CredentialDefinition, 'label' | 'name' | 'version' | 'description'>,
): CredentialDefinition {
  return {
    ...parts,
    inputs: [
      { label: 'Access Token URL', name: 'accessTokenUrl', type: 'string', default: TOKEN_URL },
      { label: 'Client ID', name: 'clientId', type: 'string' },
      { label: 'Client Secret', name: 'clientSecret', type: 'password' },
      { label: 'Refresh Token', name: 'refresh_token', type: 'password' },
    ],
  }
}

/**
 * Returns a function that resolves to an access token, which is requested on the first call.
 * @throws Error that names an empty field or contains Google's error
 */
export function googleToken(
  credential: Record<string, unknown>,
  service: string,
  network: Network,
): () => Promise<string> {
  const field = (name: string, label: string) => needed(text(credential, name), service, `"${label}" of the credential`)
  const ask = async () => {
    const answer = await callJson<{ access_token?: string }>(
      {
        service: `${service}: the access token`,
        url: text(credential, 'accessTokenUrl') ?? TOKEN_URL,
        method: 'POST',
        rawBody: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: field('clientId', 'Client ID'),
          client_secret: field('clientSecret', 'Client Secret'),
          refresh_token: field('refresh_token', 'Refresh Token'),
        }),
      },
      network,
    )
    return needed(answer.access_token, service, 'access_token in the response')
  }
  let token: Promise<string> | undefined
  return () => {
    token ??= ask()
    return token
  }
}
