/** A directory provisions people over SCIM, on a product of its own. */
import type { Browser } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { organizationDomains, organizationMembers, users } from '#db/schema/index.ts'
import { hashPassword } from '#worker/areas/auth/password.ts'
import { type OrganizationProduct, enterpriseTest as test } from '../support/organization.ts'
import { expect, expectAccessible } from '../support/test.ts'

const bea = { name: 'Bea Stone', email: 'bea@corp.example', password: 'Correct-horse-9-staple' }

/** Proves a domain, as a TXT record would. */
async function proveDomain({ database }: OrganizationProduct, domain: string): Promise<void> {
  const [member] = await database.select().from(organizationMembers)
  const date = '2026-01-01T00:00:00.000Z'
  const row = { id: crypto.randomUUID(), domain, proof: 'p', provenDate: date, createdDate: date }
  await database.insert(organizationDomains).values({ ...row, organizationId: member?.organizationId ?? '' })
}

/** What a directory sends; the answer must be 2xx. */
const directoryOf = (baseUrl: string, token: string) => async (method: string, path: string, json: object) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
  const response = await fetch(baseUrl + path, { method, headers, body: JSON.stringify(json) })
  expect(response.ok, `${method} ${path} answered ${response.status}`).toBe(true)
  return (await response.json()) as { id: string }
}

async function signInElsewhere(browser: Browser, { url }: OrganizationProduct) {
  const page = await (await browser.newContext({ baseURL: url })).newPage()
  await page.goto('/signin')
  await page.getByLabel('Email').fill(bea.email)
  await page.getByLabel('Password').fill(bea.password)
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL('/app')
  return page
}

test('a directory adds a person, a group gives them a role, and deactivating them ends their session', async ({
  page,
  product,
  browser,
}) => {
  await proveDomain(product, 'corp.example')
  await page.goto('/account?tab=sso')
  await expect(page.getByText('No tokens yet')).toBeVisible()
  const baseUrl = await page.getByLabel('Base URL', { exact: true }).inputValue()
  expect(baseUrl).toBe(`${product.url}/scim/v2`)
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill('Okta')
  await page.getByRole('button', { name: 'Create' }).click()
  const token = await page.getByLabel('Token', { exact: true }).inputValue()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('table', { name: 'Tokens' })).toContainText('Okta')

  const send = directoryOf(baseUrl, token)
  const person = await send('POST', '/Users', { userName: bea.email, displayName: bea.name, active: true })
  await send('POST', '/Groups', { displayName: 'Sales', members: [{ value: person.id }] })

  await page.reload()
  await expect(page.getByRole('table', { name: 'Groups' })).toContainText('Nothing yet')
  await page.getByRole('button', { name: 'Edit what Sales gives' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Group: workspace').selectOption({ index: 1 })
  await dialog.getByLabel('Group: role').selectOption({ label: 'Editor' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('table', { name: 'Groups' })).toContainText('Editor in')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.goto('/users')
  await expect(page.getByRole('row', { name: /Bea Stone/ })).toContainText('(Editor)')

  // As an email would have her do.
  const passwordHash = await hashPassword(bea.password)
  await product.database.update(users).set({ passwordHash }).where(eq(users.id, person.id))
  const elsewhere = await signInElsewhere(browser, product)
  await send('PATCH', `/Users/${person.id}`, { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] })
  await elsewhere.goto('/agentflows')
  await expect(elsewhere).toHaveURL(/\/(login|signin|unauthorized)/)
  await page.reload()
  await expect(page.getByRole('row', { name: /Bea Stone/ })).toContainText('Disabled')

  await page.goto('/account?tab=sso')
  await page.getByRole('button', { name: 'Revoke Okta' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('No tokens yet')).toBeVisible()
})
