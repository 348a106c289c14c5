/** Keeps attempts to sign in: who, how, with what result, from where. Never what was typed. */
import { and, eq, gt, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { SignInMethod, SignInResult } from '#contract/organization/sessions.ts'
import type { Database } from '#db/client.ts'
import { loginActivity, organizationMembers } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import type { Services } from '../../services.ts'

interface SignInRecorded {
  /** Null: nobody's account. */
  userId: string | null
  /** Whose identity provider it was at, where it is nobody's account. */
  organizationId?: string | null
  method: SignInMethod
  result: SignInResult
  device: string | null
  /** The caller's network. */
  address: string
  country: string | null
}

/** Attempts that fail, of one account and hour. */
const MAX_FAILURES = 50
/** Attempts on no account, of all addresses, an organization and an hour; one address has one. */
const MAX_ANONYMOUS = 200

/**
 * Returns the statement that keeps an attempt. Anonymous callers cannot fill the table: what fails is kept so often in an hour, and what names no account once an
 * address.
 */
export function recordSignIn({ db, clock }: Pick<Services, 'db' | 'clock'>, attempt: SignInRecorded) {
  const handle = acrossOrganizations(db, 'a sign-in is kept for every organization of the account')
  const now = clock.now()
  const hourAgo = new Date(now.getTime() - 3_600_000).toISOString()
  const isRecent = gt(loginActivity.createdDate, hourAgo)
  const asked = attempt.organizationId ?? null
  const row = { ...attempt, id: crypto.randomUUID(), organizationId: asked, createdDate: now.toISOString() }
  if (attempt.userId === null) {
    const isThere = asked === null ? isNull(loginActivity.organizationId) : eq(loginActivity.organizationId, asked)
    const isAnonymous = and(isNull(loginActivity.userId), isThere, isRecent)
    const isSame = and(isAnonymous, eq(loginActivity.address, attempt.address))
    const room = sql`not ${anyRow(isSame)} and ${fewer(isAnonymous, MAX_ANONYMOUS)}`
    return insertFrom(handle, row, sql`where ${room}`)
  }
  const isFailure = and(eq(loginActivity.userId, attempt.userId), ne(loginActivity.result, 'success'), isRecent)
  const room = or(sql`${attempt.result} = 'success'`, fewer(isFailure, MAX_FAILURES))
  const { organizationId, userId } = organizationMembers
  const source = sql`from ${organizationMembers} where ${and(eq(userId, attempt.userId), room)}`
  const perOrganization = { ...row, id: sql`${row.id} || ' ' || ${organizationId}`, organizationId }
  return insertFrom(handle, perOrganization, source)
}

const anyRow = (condition: SQL | undefined) => sql`exists (select 1 from ${loginActivity} where ${condition})`
const fewer = (condition: SQL | undefined, max: number) =>
  sql`(select count(*) from (select 1 from ${loginActivity} where ${condition} limit ${max})) < ${max}`

type Values = Record<keyof typeof loginActivity.$inferInsert, unknown>

function insertFrom(handle: Database, row: Values, source: SQL) {
  const { id, organizationId, userId, method, result, device, address, country, createdDate } = row
  const values = [id, organizationId, userId, method, result, device, address, country, createdDate]
  const selected = sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )
  return handle.insert(loginActivity).select(sql`select ${selected} ${source}`)
}
