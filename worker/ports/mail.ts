import type { Fetch } from './egress.ts'
import type { Egress, Email, Mail } from './types.ts'

export interface MailConfig {
  url?: string | undefined
  key?: string | undefined
  from?: string | undefined
  /** Takes emails where no service is set. */
  outbox?: { fetch: Fetch } | undefined
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 }

/** @throws Error when only some of the settings are set */
export function createMail({ url, key, from, outbox }: MailConfig): Mail {
  const isConfigured = Boolean(url && key && from)
  if (!isConfigured && (url || key || from)) {
    throw new Error('To send email, set MAIL_URL, MAIL_KEY and MAIL_FROM. To disable it, set none of them.')
  }
  return {
    isConfigured,
    takesEmails: isConfigured || outbox !== undefined,
    async send(email, egress: Egress) {
      if (!url && outbox) return putInto(outbox, email)
      if (!url) throw new Error('Email is not configured on this server')
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
      const body = JSON.stringify({ from, ...email })
      const response = await egress.fetch(url, { method: 'POST', headers, body, redirect: 'manual' }, LIMITS)
      await assertTaken(response)
    },
  }
}

async function putInto(outbox: { fetch: Fetch }, email: Email): Promise<void> {
  const request = new Request('http://outbox/', { method: 'POST', body: JSON.stringify(email) })
  await assertTaken(await outbox.fetch(request))
}

async function assertTaken(response: Response): Promise<void> {
  const text = await response.text()
  if (!response.ok) throw new Error(`The mail service responded with ${response.status}: ${text.slice(0, 300)}`)
}
