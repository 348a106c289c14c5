import type { Egress, Mail } from './types.ts'

export interface MailConfig {
  url?: string | undefined
  key?: string | undefined
  from?: string | undefined
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 }

/** @throws Error at start when only a part of it is set */
export function createMail({ url, key, from }: MailConfig): Mail {
  const isConfigured = Boolean(url && key && from)
  if (!isConfigured && (url || key || from)) {
    throw new Error('To send e-mail, set all of MAIL_URL, MAIL_KEY and MAIL_FROM; or none of them')
  }
  return {
    isConfigured,
    async send(letter, egress: Egress) {
      if (!url) throw new Error('E-mail is not set up here')
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
      const body = JSON.stringify({ from, ...letter })
      const response = await egress.fetch(url, { method: 'POST', headers, body, redirect: 'manual' }, LIMITS)
      const text = await response.text()
      if (!response.ok) throw new Error(`The mail service answered ${response.status}: ${text.slice(0, 300)}`)
    },
  }
}
