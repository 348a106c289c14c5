/** The tokens among the encrypted fields of a credential, and their refresh by one holder at a time. */
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { credentials } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Egress } from '../ports/types.ts'
import type { Services } from '../services.ts'
import { type Fields, oauthClientOf } from './oauth-client.ts'
import { exchangeRefreshToken, OAuthRefusal, type Tokens } from './token-request.ts'

export type CredentialRow = typeof credentials.$inferSelect

/** Fields that no form has. */
const STATE_FIELDS = ['access_token', 'refresh_token', 'refused']

export interface TokenContext extends Pick<Services, 'db' | 'cipher' | 'clock'> {
  tenant: Tenant
  wrappedKey: string
  egress: Egress
}

/** Tokens are replaced this long before they expire. */
const MARGIN_MS = 60_000
/** Longer than a token request may take. */
const LEASE_MS = 30_000
/** How long others wait for the holder. */
const WAIT_MS = 2 * LEASE_MS
const POLL_MS = 150
const MAX_WRITES = 5

/** Returns the fields without tokens, unless the form of the type has one. */
export function withoutTokens(definition: CredentialDefinition | undefined, fields: Fields): Fields {
  const isOfForm = (name: string) => definition?.inputs.some((input) => input.name === name)
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !STATE_FIELDS.includes(name) || isOfForm(name)))
}

/** Returns how an OAuth 2 credential stands with its provider. */
export function connectionOf(fields: Fields): 'none' | 'connected' | 'refused' {
  if (fields.refused) return 'refused'
  return fields.access_token || fields.refresh_token ? 'connected' : 'none'
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
  const fields = await decrypted(context, row)
  if (!definition?.oauth || isFresh(context, row, fields)) return fields
  return refreshTokens(context, { row, definition })
}

/** Refreshes the token even when it is still good. Of several at once, one asks the provider and the others wait. */
export async function refreshTokens(
  context: TokenContext,
  { row, definition }: { row: CredentialRow; definition: CredentialDefinition },
): Promise<Fields> {
  const began = row.encryptedData
  const until = context.clock.now().getTime() + WAIT_MS
  for (let current = row; context.clock.now().getTime() < until; ) {
    const fields = await decrypted(context, current)
    // Another holder was faster.
    if (current.encryptedData !== began && isFresh(context, current, fields)) return fields
    assertRefreshable(current, fields)
    if (await claim(context, current)) return renewed(context, { row: current, fields, definition })
    await context.clock.sleep(POLL_MS)
    current = await reread(context, current)
  }
  throw new Error(`The credential “${row.name}” could not be refreshed in time. Try again.`)
}

/** Stores new tokens, and keeps what a person has changed in the meantime. */
export async function writeTokens(context: TokenContext, row: CredentialRow, tokens: Tokens): Promise<Fields> {
  const { accessToken, refreshToken, expiresDate } = tokens
  const change = { access_token: accessToken, ...(refreshToken && { refresh_token: refreshToken }) }
  return writeState(context, row, { change, expiresDate })
}

function assertRefreshable({ name, expiresDate }: CredentialRow, fields: Fields): void {
  if (fields.refused) throw unusable(name, 'The provider has ended its connection', 'reconnect it')
  if (fields.refresh_token) return
  if (!fields.access_token) throw unusable(name, 'It is not connected', 'connect it')
  if (expiresDate !== null) throw unusable(name, 'Its connection has expired', 'reconnect it')
  throw unusable(name, 'The provider gave no refresh token', 'reconnect it')
}

const unusable = (name: string, what: string, todo: string) =>
  new Error(`The credential “${name}” can’t be used. ${what}: open Credentials and ${todo}.`)

function isFresh({ clock }: TokenContext, { expiresDate }: CredentialRow, fields: Fields): boolean {
  if (fields.refused || !fields.access_token) return false
  return expiresDate === null || Date.parse(expiresDate) - clock.now().getTime() > MARGIN_MS
}

/** Takes the lease, where the row is as it was read and nobody else holds it. */
async function claim({ db, tenant, clock }: TokenContext, { id, encryptedData }: CredentialRow): Promise<boolean> {
  const now = clock.now()
  const isFree = or(isNull(credentials.refreshLease), lte(credentials.refreshLease, now.toISOString()))
  const claimed = await scope(db, tenant)
    .update(credentials, and(eq(credentials.id, id), eq(credentials.encryptedData, encryptedData), isFree), {
      refreshLease: new Date(now.getTime() + LEASE_MS).toISOString(),
    })
    .returning({ id: credentials.id })
  return claimed.length > 0
}

interface Claimed {
  row: CredentialRow
  fields: Fields
  definition: CredentialDefinition
}

async function renewed(context: TokenContext, { row, fields, definition }: Claimed): Promise<Fields> {
  try {
    const client = oauthClientOf(definition, fields)
    const tokens = await exchangeRefreshToken(client, fields.refresh_token as string, context)
    return await writeTokens(context, row, tokens)
  } catch (error) {
    if (error instanceof OAuthRefusal) {
      await writeState(context, row, { change: { refused: error.message }, expiresDate: row.expiresDate })
      throw unusable(row.name, `The provider has ended its connection (${error.message})`, 'reconnect it')
    }
    await release(context, row)
    if (isStillGood(context, row, fields)) return fields
    throw new Error(`The credential “${row.name}” could not be refreshed: ${(error as Error).message}`)
  }
}

function isStillGood({ clock }: TokenContext, { expiresDate }: CredentialRow, fields: Fields): boolean {
  return Boolean(fields.access_token) && (expiresDate === null || expiresDate > clock.now().toISOString())
}

async function release({ db, tenant }: TokenContext, { id }: CredentialRow): Promise<void> {
  await scope(db, tenant).update(credentials, eq(credentials.id, id), { refreshLease: null })
}

interface StateChange {
  change: Fields
  expiresDate: string | null
}

/** Reads, merges and writes until nobody has written in between. */
async function writeState(context: TokenContext, row: CredentialRow, { change, expiresDate }: StateChange) {
  const { db, tenant, cipher, wrappedKey } = context
  for (let written = 0; written < MAX_WRITES; written++) {
    const current = await reread(context, row)
    const { refused: _, ...kept } = await decrypted(context, current)
    const fields = { ...kept, ...change }
    const stored = await scope(db, tenant)
      .update(credentials, and(eq(credentials.id, row.id), eq(credentials.encryptedData, current.encryptedData)), {
        encryptedData: await cipher.encrypt(wrappedKey, fields),
        expiresDate,
        refreshLease: null,
      })
      .returning({ id: credentials.id })
    if (stored.length > 0) return fields
  }
  throw new Error(`The credential “${row.name}” was changed too often at once. Try again.`)
}

async function reread({ db, tenant }: TokenContext, { id, name }: CredentialRow): Promise<CredentialRow> {
  const [row] = await scope(db, tenant).select(credentials, eq(credentials.id, id))
  if (row) return row as CredentialRow
  throw new Error(`The credential “${name}” was deleted`)
}

const decrypted = async ({ cipher, wrappedKey }: TokenContext, { encryptedData }: CredentialRow) =>
  (await cipher.decrypt(wrappedKey, encryptedData)) as Fields
