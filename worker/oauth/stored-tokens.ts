/** The tokens among the encrypted fields of a credential. */
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { credentials } from '#db/schema/index.ts'
import { buildOauthClient, type Fields } from './oauth-client.ts'
import type { Tokens } from './token-request.ts'
import {
  readFresh,
  refresh,
  type TokenContext,
  type TokenRow,
  type TokenStore,
  withTokens,
  writeState,
} from './token-rows.ts'

export type CredentialRow = typeof credentials.$inferSelect

/** Fields that no form has. */
const STATE_FIELDS = ['access_token', 'refresh_token', 'refused']

/** Returns the fields without tokens, unless the form of the type has one. */
export function withoutTokens(definition: CredentialDefinition | undefined, fields: Fields): Fields {
  const isOfForm = (name: string) => definition?.inputs.some((input) => input.name === name)
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !STATE_FIELDS.includes(name) || isOfForm(name)))
}

/**
 * Returns the fields of a credential; those of an OAuth 2 type with a token that is good for another minute.
 * @throws Error that says what to do when there is no such token
 */
export async function readFreshFields(
  context: TokenContext,
  row: CredentialRow,
  definition: CredentialDefinition | undefined,
): Promise<Fields> {
  if (definition?.oauth) return readFresh(storeOf(context, definition), tokenRow(row))
  return (await context.cipher.decrypt(context.wrappedKey, row.encryptedData)) as Fields
}

/** Refreshes the token even when it is still good. Of several at once, one asks the provider and the others wait. */
export function refreshTokens(
  context: TokenContext,
  { row, definition }: { row: CredentialRow; definition: CredentialDefinition },
): Promise<Fields> {
  return refresh(storeOf(context, definition), tokenRow(row))
}

/** Stores new tokens, and keeps what a person has changed in the meantime. */
export function writeTokens(
  context: TokenContext,
  { row, definition }: { row: CredentialRow; definition: CredentialDefinition },
  tokens: Tokens,
): Promise<Fields> {
  const { expiresDate } = tokens
  return writeState(storeOf(context, definition), tokenRow(row), { change: withTokens(tokens), expiresDate })
}

function storeOf(context: TokenContext, definition: CredentialDefinition): TokenStore<Fields> {
  const clientOf = (fields: Fields) => buildOauthClient(definition, fields)
  const of = { table: credentials, column: 'encryptedData', noun: 'credential', page: 'Credentials', clientOf }
  return { ...context, of }
}

const tokenRow = ({ id, name, encryptedData, expiresDate }: CredentialRow): TokenRow => ({
  id,
  name,
  encrypted: encryptedData,
  expiresDate,
})
