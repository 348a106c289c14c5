import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { authenticators, recoveryCodes } from '#db/schema/index.ts'
import { secretOf } from '../../../ports/sealed.ts'
import type { Services } from '../../../services.ts'
import { recoveryHash } from './recovery-codes.ts'
import { findStep } from './totp.ts'

type CodeServices = Pick<Services, 'db' | 'clock' | 'cipher'>

/** Uses up a code of the person's authenticator app, or a recovery code. Returns false when it is none, or was used before. */
export async function useCode(services: CodeServices, userId: string, code: string): Promise<boolean> {
  const digits = code.replaceAll(' ', '')
  return /^\d{6}$/.test(digits) ? useAppCode(services, userId, digits) : useRecoveryCode(services, userId, code)
}

async function useAppCode({ db, clock, cipher }: CodeServices, userId: string, code: string): Promise<boolean> {
  const isSetUp = and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedDate))
  const [row] = await db.select().from(authenticators).where(isSetUp)
  const step = row && (await findStep(await cipher.open(secretOf(userId), row.secret), code, clock.now()))
  if (step === undefined) return false
  const used = await db
    .update(authenticators)
    .set({ lastStep: step })
    .where(and(isSetUp, lt(authenticators.lastStep, step)))
    .returning({ userId: authenticators.userId })
  return used.length === 1
}

async function useRecoveryCode({ db, clock }: CodeServices, userId: string, code: string): Promise<boolean> {
  const hash = recoveryHash(userId, code)
  const used = await db
    .update(recoveryCodes)
    .set({ usedDate: clock.now().toISOString() })
    .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedDate)))
    .returning({ userId: recoveryCodes.userId })
  return used.length === 1
}
