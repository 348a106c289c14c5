/** For tests that need an account in cloud: confirms its address, as the link in the email does. */
import { setTimeout } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { emails, emailTokens, users } from '#db/schema/index.ts'
import { tokenHash } from '../../http/session/secrets.ts'
import type { TestClient } from './client.ts'

/** Signs the client in. The email is gone by then, so that nothing of it disturbs what the test counts. */
export async function confirmAddress(database: Database, client: TestClient, email: string): Promise<void> {
  const address = email.toLowerCase()
  const ofEmail = and(eq(emails.address, address), eq(emails.kind, 'verify-email'))
  for (;;) {
    const [email] = await database.select().from(emails).where(ofEmail)
    if (email?.sentDate || email?.error) break
    await setTimeout(5)
  }
  const [user] = await database.select({ id: users.id }).from(users).where(eq(users.email, address))
  const [token, createdDate] = [crypto.randomUUID(), new Date().toISOString()]
  const expiresDate = new Date(Date.now() + 60_000).toISOString()
  const row = { hash: tokenHash(token), kind: 'verify-email' as const, userId: user?.id ?? null }
  await database.insert(emailTokens).values({ ...row, address, subject: 'test', expiresDate, createdDate })
  const response = await client.fetch('/api/v1/account/verify', { method: 'POST', json: { token } })
  if (!response.ok) throw new Error(`Confirming returned ${response.status}: ${await response.text()}`)
}
