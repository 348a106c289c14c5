/** Tokens of emails: 32 random bytes that work once. Only their hashes are kept. */
import { and, eq, exists, gt, isNull } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import { EMAIL_PAGES, type EmailKind, TOKEN_SECONDS } from '#contract/organization/emails.ts'
import { emailTokens } from '#db/schema/index.ts'
import { randomToken, tokenHash } from '../http/session/secrets.ts'
import type { Services } from '../services.ts'

type TokenServices = Pick<Services, 'db' | 'clock'>

interface TokenPurpose {
  kind: EmailKind
  address: string
  userId: string | null
  subject: string
}

/** Returns a new token and the statements that keep its hash and void older ones for the same purpose. */
export function makeToken({ db, clock }: TokenServices, purpose: TokenPurpose) {
  const token = randomToken()
  const now = clock.now()
  const lifeMs = (TOKEN_SECONDS[purpose.kind] ?? 0) * 1000
  const statements = [
    endTokens({ db, clock }, purpose),
    db.insert(emailTokens).values({
      ...purpose,
      hash: tokenHash(token),
      expiresDate: new Date(now.getTime() + lifeMs).toISOString(),
      createdDate: now.toISOString(),
    }),
  ] as const
  return { token, statements }
}

/** Returns the statement that voids what was sent to this address for this purpose so far. */
export function endTokens({ db, clock }: TokenServices, { kind, address, subject }: Omit<TokenPurpose, 'userId'>) {
  const isSame = and(
    eq(emailTokens.kind, kind),
    eq(emailTokens.address, address),
    eq(emailTokens.subject, subject),
    isNull(emailTokens.endedDate),
  )
  return db.update(emailTokens).set({ endedDate: clock.now().toISOString() }).where(isSame)
}

/** The address of a page with a token, in the fragment: browsers do not send it, so no log has it. */
export function emailLink(appUrl: string, kind: EmailKind, token?: string): string {
  return `${appUrl}${EMAIL_PAGES[kind]}${token === undefined ? '' : `#token=${token}`}`
}

/**
 * Returns the row of a token that still works. Nothing is used up yet: the batch that acts on it makes its changes under
 * `isOpen`, and ends it with `useToken` last.
 */
export async function readToken({ db, clock }: TokenServices, kind: EmailKind, token: string) {
  const [row] = await db
    .select()
    .from(emailTokens)
    .where(isOpenToken({ clock }, kind, token))
  if (!row) throw usedToken(kind)
  return row
}

/** The condition under which statements of a batch may act on a token. */
export function isOpen({ db, clock }: TokenServices, kind: EmailKind, token: string) {
  return exists(
    db
      .select()
      .from(emailTokens)
      .where(isOpenToken({ clock }, kind, token)),
  )
}

/** Returns the statement that uses a token up; it returns no row when somebody was faster. */
export function useToken({ db, clock }: TokenServices, kind: EmailKind, token: string) {
  return db
    .update(emailTokens)
    .set({ endedDate: clock.now().toISOString() })
    .where(isOpenToken({ clock }, kind, token))
    .returning({ hash: emailTokens.hash })
}

/** @param kind the emails of which nobody can ask for another one say what to do instead */
export function usedToken(kind?: EmailKind): HeddleError {
  const wayOn =
    kind === 'email-changed'
      ? 'If you can’t sign in, ask an admin of your organization for help.'
      : 'Ask for a new one and open the latest email.'
  return new HeddleError('bad_request', `token: This link has expired or was used already. ${wayOn}`, {
    field: 'token',
  })
}

function isOpenToken({ clock }: Pick<Services, 'clock'>, kind: EmailKind, token: string) {
  return and(
    eq(emailTokens.hash, tokenHash(token)),
    eq(emailTokens.kind, kind),
    isNull(emailTokens.endedDate),
    gt(emailTokens.expiresDate, clock.now().toISOString()),
  )
}
