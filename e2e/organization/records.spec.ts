/** What an organization finds out later: who changed what, who signed in, and which requests failed. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { AuditRecord, FailurePage } from '#contract/organization/records.ts'
import { createTestClient } from '#worker/local/testing/client.ts'
import { account } from '../support/account.ts'
import { apiOf } from '../support/api.ts'
import { enterpriseTest as test } from '../support/organization.ts'
import { expect, expectAccessible } from '../support/test.ts'

async function expectGoodOnPhone(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(() => document.documentElement.classList.add('dark'))
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
}

async function download(page: Page, name: string): Promise<string> {
  const loading = page.waitForEvent('download')
  await page.getByRole('link', { name }).click()
  return readFileSync(await (await loading).path(), 'utf8')
}

test('the audit log is filtered and downloaded, and no cell of it is a formula', async ({ page, product }) => {
  const api = apiOf(page, product.url)
  const credential = { name: '=1+1', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk-the-secret' } }
  await api.post('/credentials', credential)
  await api.post('/variables', { name: 'region', value: 'eu', type: 'static' })
  await page.goto('/account?tab=audit-log')
  const rows = page.getByRole('table', { name: 'events' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Variable: create' })).toContainText('region')
  await page.getByLabel('What').selectOption('Credential: create')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('=1+1')
  await expect(rows.last()).toContainText(account.name)

  const csv = await download(page, 'CSV')
  expect(csv).toContain(`"'=1+1"`)
  expect(csv).not.toMatch(/(^|,)"[=+@-]/m)
  expect(csv.trimEnd().split('\r\n')).toHaveLength(2)
  const lines = (await download(page, 'JSONL')).trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as AuditRecord).targetName)).toEqual(['=1+1'])
  expect(csv + lines).not.toContain('sk-the-secret')

  await page.getByLabel('Who').fill('Nobody of this name')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No events match these filters.')).toBeVisible()
  await page.getByLabel('Who').fill('')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(2)
  await expectGoodOnPhone(page)
})

test('login activity shows who tried to sign in, and with what result', async ({ page, product }) => {
  const visitor = createTestClient(product.url)
  const json = { email: account.email, password: 'not-the-password' }
  await visitor.fetch('/api/v1/auth/login', { method: 'POST', json })
  await page.goto('/account?tab=login-activity')
  const rows = page.getByRole('table', { name: 'attempts' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Wrong password' })).toContainText(account.email)
  await page.getByLabel('Result').selectOption('Wrong password')
  await expect(rows).toHaveCount(2)
  expect(await download(page, 'CSV')).not.toContain('not-the-password')
  await page.getByLabel('Result').selectOption('Too many attempts')
  await expect(page.getByText('No attempts match these filters.')).toBeVisible()
  await page.getByLabel('Result').selectOption('Any')
  await expectGoodOnPhone(page)
})

test('a failure is found in the logs by the id of its request', async ({ page, product }) => {
  const answer = await page.request.get(`${product.url}/api/v1/credentials/nothing`)
  const { requestId } = (await answer.json()) as { requestId: string }
  const api = apiOf(page, product.url)
  const found = async () => (await api.get<FailurePage>(`/logs?requestId=${requestId}`)).data.length
  // It is written after the answer.
  await expect.poll(found).toBe(1)
  await page.request.get(`${product.url}/api/v1/variables/nothing`)
  await page.goto('/logs')
  await page.getByLabel('Request ID').fill(requestId)
  await page.keyboard.press('Enter')
  const rows = page.getByRole('table', { name: 'failures' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('GET /credentials/:id')
  await expect(rows.last()).toContainText('Credential nothing not found')
  await expectGoodOnPhone(page)
})
