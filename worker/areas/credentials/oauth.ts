/** Connects a credential with its provider: to the consent page, back with a code, and on with new tokens. */
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type * as z from 'zod'
import type { OAuthAuthorization, oauthCallbackSchema, refreshedSchema } from '#contract/credentials/credentials.ts'
import type { OAuthMessage } from '#contract/credentials/oauth.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { credentials } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { ownOrigin } from '../../http/own-origin.ts'
import { type Actor, type AppEnv, type Member, memberOf } from '../../http/route.ts'
import { rememberOAuthSession } from '../../http/session/cookies.ts'
import { takeReturn } from '../../http/session/oauth-return.ts'
import { findCredentialType } from '../../nodes/catalogue.ts'
import { callbackPage } from '../../oauth/callback-page.ts'
import { buildOauthClient, consentUrl, requireCode } from '../../oauth/oauth-client.ts'
import { beginRequest } from '../../oauth/requests.ts'
import { type CredentialRow, refreshTokens, writeTokens } from '../../oauth/stored-tokens.ts'
import { exchangeCode } from '../../oauth/token-request.ts'
import type { TokenContext } from '../../oauth/token-rows.ts'
import type { Services } from '../../services.ts'
import { openStored } from './store.ts'

export const CALLBACK = '/oauth2-credential/callback'
export const MAY_CONNECT = 'credentials:create,credentials:update'

type CallbackQuery = z.infer<typeof oauthCallbackSchema>

/** Starts a connection, in the browser of a signed-in person alone: it is where the answer must come back. */
export async function authorizeCredential(c: Context<AppEnv>, actor: Actor, id: string): Promise<OAuthAuthorization> {
  const services = c.get('services')
  const { row, fields, wrappedKey } = await openStored(services, memberOf(actor), id)
  const client = buildOauthClient(oauthDefinition(row), fields)
  if (actor.kind !== 'user')
    throw new HeddleError('forbidden', 'A credential is connected by a person: sign in and open Credentials.')
  const redirectUri = `${ownOrigin(c)}/api/v1${CALLBACK}`
  const { userId, sessionId } = actor
  const request = { ownerKind: 'credential' as const, ownerId: id, userId, sessionId, redirectUri }
  const { state, challenge } = await beginRequest(services, { tenant: actor, wrappedKey }, request)
  await rememberOAuthSession(c, sessionId)
  return {
    success: true,
    message: 'Open authorizationUrl in this browser',
    credentialId: id,
    authorizationUrl: consentUrl(client, { redirectUri, state, challenge }),
    redirectUri,
  }
}

/** Answers with a page in any case: a person looks at it. */
export async function receiveCallback(c: Context<AppEnv>, query: CallbackQuery): Promise<Response> {
  const { uiOrigin } = c.get('services').config
  const message = await connect(c, query).then(
    ({ id, name }): OAuthMessage => ({
      type: 'OAUTH2_SUCCESS',
      success: true,
      message: `“${name}” is connected.`,
      credentialId: id,
    }),
    (error): OAuthMessage => ({ type: 'OAUTH2_ERROR', success: false, message: errorMessage(error) }),
  )
  return callbackPage(message, uiOrigin ?? ownOrigin(c))
}

/** Returns the credential that is now connected. Throws an Error for the person who came back. */
async function connect(c: Context<AppEnv>, query: CallbackQuery) {
  const services = c.get('services')
  const journey = { ownerKind: 'credential' as const, permission: MAY_CONNECT, page: 'Credentials' }
  const { actor, ownerId, verifier, redirectUri } = await takeReturn(c, query.state, journey)
  const { row, fields, wrappedKey } = await openStored(services, actor, ownerId)
  const definition = oauthDefinition(row)
  const client = buildOauthClient(definition, fields)
  const code = requireCode(client, query)
  const context = tokenContext(services, actor, wrappedKey)
  const tokens = await exchangeCode(client, { code, verifier, redirectUri }, context)
  await writeTokens(context, { row, definition }, tokens)
  return row
}

/** Asks for new tokens at once, and returns when they expire. */
export async function refreshCredential(
  services: Services,
  member: Member,
  id: string,
): Promise<z.infer<typeof refreshedSchema>> {
  const { row, wrappedKey } = await openStored(services, member, id)
  const context = tokenContext(services, member, wrappedKey)
  const fields = await refreshTokens(context, { row, definition: oauthDefinition(row) }).catch((error) => {
    throw new HeddleError('conflict', errorMessage(error))
  })
  const [now] = await scope(services.db, member).select(credentials, eq(credentials.id, id))
  return {
    success: true,
    message: 'The token was refreshed',
    credentialId: id,
    tokenInfo: { expires_at: now?.expiresDate ?? null, has_refresh_token: Boolean(fields.refresh_token) },
  }
}

function tokenContext(services: Services, { workspaceId }: Member, wrappedKey: string): TokenContext {
  const { db, cipher, clock } = services
  return { db, cipher, clock, tenant: { workspaceId }, wrappedKey, egress: services.openOutside(workspaceId).egress }
}

function oauthDefinition({ credentialName }: CredentialRow): CredentialDefinition {
  const definition = findCredentialType(credentialName)
  if (definition?.oauth) return definition
  throw new HeddleError('bad_request', 'This credential is not of an OAuth 2 type, so there is nothing to connect')
}
