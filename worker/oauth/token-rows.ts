/** Tokens in an encrypted column of a table, and their refresh by one holder at a time. */
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { scope, type Tenant, type WorkspaceTable } from '#db/scope.ts'
import type { Egress } from '../ports/types.ts'
import type { Services } from '../services.ts'
import type { OAuthClient } from './oauth-client.ts'
import { exchangeRefreshToken, OAuthRefusal, type Tokens } from './token-request.ts'

export interface TokenContext extends Pick<Services, 'db' | 'cipher' | 'clock'> {
  tenant: Tenant
  wrappedKey: string
  egress: Egress
}

/** The tokens of a connection in the encrypted column, beside its owner's own fields. */
export interface TokenState {
  access_token?: string
  refresh_token?: string
  /** What the provider said when it ended the connection. */
  refused?: string
}

/** A row with tokens, as it was read. */
export interface TokenRow {
  id: string
  name: string
  /** Null: nothing was ever stored. */
  encrypted: string | null
  expiresDate: string | null
}

/** Where tokens of one kind of owner are. */
interface TokenTable<State extends TokenState> {
  table: WorkspaceTable & { name: SQLiteColumn; expiresDate: SQLiteColumn; refreshLease: SQLiteColumn }
  /** The name of the encrypted column. */
  column: string
  /** `credential`, and the page where people connect it. */
  noun: string
  page: string
  /** Returns who asks for new tokens. Throws when the state lacks it. */
  clientOf(state: State): OAuthClient
}

export interface TokenStore<State extends TokenState> extends TokenContext {
  of: TokenTable<State>
}

/** Tokens are replaced this long before they expire. */
const MARGIN_MS = 60_000
/** Longer than a token request may take. */
const LEASE_MS = 30_000
/** How long others wait for the holder. */
const WAIT_MS = 2 * LEASE_MS
const POLL_MS = 150
const MAX_WRITES = 5

/** Returns how an owner stands with its provider. */
export function connectionOf({ refused, access_token, refresh_token }: TokenState): 'none' | 'connected' | 'refused' {
  if (refused) return 'refused'
  return access_token || refresh_token ? 'connected' : 'none'
}

/**
 * Returns a state with a token that is good for another minute.
 * @throws Error that says what to do when there is no such token
 */
export async function readFresh<State extends TokenState>(store: TokenStore<State>, row: TokenRow): Promise<State> {
  const state = await openState(store, row)
  return isFresh(store, row, state) ? state : refresh(store, row)
}

/** Refreshes the token even when it is still good. Of several at once, one asks the provider and the others wait. */
export async function refresh<State extends TokenState>(store: TokenStore<State>, row: TokenRow): Promise<State> {
  const { clock, of } = store
  const until = clock.now().getTime() + WAIT_MS
  for (let current = row; clock.now().getTime() < until; ) {
    const state = await openState(store, current)
    // Another holder was faster.
    if (current.encrypted !== row.encrypted && isFresh(store, current, state)) return state
    assertRefreshable(of, current, state)
    if (await claim(store, current)) return renew(store, current, state)
    await clock.sleep(POLL_MS)
    current = await reread(store, current)
  }
  throw new Error(`${called(of, row)} could not be refreshed in time. Try again.`)
}

interface StateChange<State> {
  /** Given what is stored now, without a refusal. */
  change(kept: State): State
  expiresDate: string | null
}

/** Reads, changes and writes until nobody has written in between. Returns what is stored. */
export async function writeState<State extends TokenState>(
  store: TokenStore<State>,
  row: TokenRow,
  { change, expiresDate }: StateChange<State>,
): Promise<State> {
  const { db, tenant, cipher, wrappedKey, of } = store
  for (let written = 0; written < MAX_WRITES; written++) {
    const current = await reread(store, row)
    const { refused: _, ...kept } = await openState(store, current)
    const state = change(kept as State)
    const values = {
      [of.column]: await cipher.encrypt(wrappedKey, state as Record<string, unknown>),
      expiresDate,
      refreshLease: null,
    }
    const stored = await scope(db, tenant)
      .update(of.table, asRead(of, current), values as object)
      .returning({ id: of.table.id })
    if (stored.length > 0) return state
  }
  throw new Error(`${called(of, row)} was changed too often at once. Try again.`)
}

/** Returns what a write of new tokens changes. */
export const withTokens =
  ({ accessToken, refreshToken }: Tokens) =>
  <State extends TokenState>(kept: State): State => ({
    ...kept,
    access_token: accessToken,
    ...(refreshToken && { refresh_token: refreshToken }),
  })

const called = ({ noun }: TokenTable<never>, { name }: TokenRow) => `The ${noun} “${name}”`

async function openState<State extends TokenState>(
  { cipher, wrappedKey }: TokenStore<State>,
  { encrypted }: TokenRow,
): Promise<State> {
  return (encrypted === null ? {} : await cipher.decrypt(wrappedKey, encrypted)) as State
}

function isFresh({ clock }: TokenContext, { expiresDate }: TokenRow, { refused, access_token }: TokenState): boolean {
  if (refused || !access_token) return false
  return expiresDate === null || Date.parse(expiresDate) - clock.now().getTime() > MARGIN_MS
}

function isStillGood({ clock }: TokenContext, { expiresDate }: TokenRow, { access_token }: TokenState): boolean {
  return Boolean(access_token) && (expiresDate === null || expiresDate > clock.now().toISOString())
}

function assertRefreshable(of: TokenTable<never>, row: TokenRow, state: TokenState): void {
  if (state.refused) throw unusable(of, row, { what: 'The provider has ended its connection', todo: 'reconnect it' })
  if (state.refresh_token) return
  if (!state.access_token) throw unusable(of, row, { what: 'It is not connected', todo: 'connect it' })
  if (row.expiresDate !== null) throw unusable(of, row, { what: 'Its connection has expired', todo: 'reconnect it' })
  throw unusable(of, row, { what: 'The provider gave no refresh token', todo: 'reconnect it' })
}

const unusable = (of: TokenTable<never>, row: TokenRow, { what, todo }: { what: string; todo: string }) =>
  new Error(`${called(of, row)} can’t be used. ${what}: open ${of.page} and ${todo}.`)

async function renew<State extends TokenState>(store: TokenStore<State>, row: TokenRow, state: State): Promise<State> {
  const { of, db, tenant } = store
  try {
    const tokens = await exchangeRefreshToken(of.clientOf(state), state.refresh_token as string, store)
    return await writeState(store, row, { change: withTokens(tokens), expiresDate: tokens.expiresDate })
  } catch (error) {
    if (error instanceof OAuthRefusal) {
      const change = (kept: State) => ({ ...kept, refused: error.message })
      await writeState(store, row, { change, expiresDate: row.expiresDate })
      const what = `The provider has ended its connection (${error.message})`
      throw unusable(of, row, { what, todo: 'reconnect it' })
    }
    await scope(db, tenant).update(of.table, eq(of.table.id, row.id), { refreshLease: null } as object)
    if (isStillGood(store, row, state)) return state
    throw new Error(`${called(of, row)} could not be refreshed: ${(error as Error).message}`)
  }
}

/** Takes the lease, where the row is as it was read and nobody else holds it. */
async function claim({ db, tenant, clock, of }: TokenStore<never>, row: TokenRow): Promise<boolean> {
  const now = clock.now()
  const { table } = of
  const isFree = or(isNull(table.refreshLease), lte(table.refreshLease, now.toISOString()))
  const refreshLease = new Date(now.getTime() + LEASE_MS).toISOString()
  const claimed = await scope(db, tenant)
    .update(table, and(asRead(of, row), isFree), { refreshLease } as object)
    .returning({ id: table.id })
  return claimed.length > 0
}

async function reread({ db, tenant, of }: TokenStore<never>, row: TokenRow): Promise<TokenRow> {
  const [found] = await scope(db, tenant).select(of.table, eq(of.table.id, row.id))
  if (!found) throw new Error(`${called(of, row)} was deleted`)
  const values = found as Record<string, string | null>
  return { ...row, encrypted: values[of.column] ?? null, expiresDate: values.expiresDate ?? null }
}

function asRead({ table, column }: TokenTable<never>, { id, encrypted }: TokenRow) {
  const stored = (table as unknown as Record<string, SQLiteColumn>)[column] as SQLiteColumn
  return and(eq(table.id, id), encrypted === null ? isNull(stored) : eq(stored, encrypted))
}
