import type { Egress, Mail } from './types.ts'

export interface MailConfig {
  url?: string | undefined
  key?: string | undefined
  from?: string | undefined
}

const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 }

/** @throws Error when only some of the settings are set */
export function createMail({ url, key, from }: MailConfig): Mail {
  const isConfigured = Boolean(url && key && from)
  if (!isConfigured && (url || key || from)) {
    throw new Error('To send email, set MAIL_URL, MAIL_KEY and MAIL_FROM. To disable it, set none of them.')
  }
  return {
    isConfigured,
    async send(email, egress: Egress) {
      if (!url) throw new Error('Email is not configured on this server')
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
      const body = JSON.stringify({ from, ...email })
      const response = await egress.fetch(url, { method: 'POST', headers, body, redirect: 'manual' }, LIMITS)
      const text = await response.text()
      if (!response.ok) throw new Error(`The mail service responded with ${response.status}: ${text.slice(0, 300)}`)
    },
  }
}
