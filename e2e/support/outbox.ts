/** The emails of a product without a mail service, and the browsers of their readers. */
import { join } from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import { SECURITY_PAGE } from '#contract/organization/emails.ts'
import { readEmails } from '#worker/local/testing/outbox.ts'
import type { OrganizationProduct } from './organization.ts'

/** An email that tells of a change, and asks for nothing. */
const isNotice = ({ text }: { text: string }) => text.includes(SECURITY_PAGE)

/** Waits for that many emails to the address besides notices, and returns the link of the newest; empty without one. */
export async function linkTo(
  { dataDir }: Pick<OrganizationProduct, 'dataDir'>,
  to: string,
  count: number,
): Promise<string> {
  const emails = () => readEmails(join(dataDir, 'outbox')).filter((email) => email.to === to && !isNotice(email))
  await expect.poll(() => emails().length, { timeout: 15_000 }).toBe(count)
  return /https?:\/\/\S+/.exec(emails().at(-1)?.text ?? '')?.[0] ?? ''
}

/** A page of another browser, which nobody is signed in with. */
export const otherPage = async (browser: Browser, baseURL: string): Promise<Page> =>
  (await browser.newContext({ baseURL, reducedMotion: 'reduce' })).newPage()
