import type { Page } from '@playwright/test'
import { ask, chat, messages } from './support/canvas.ts'
import { expect, expectAccessible, test, toast } from './support/test.ts'

async function createAssistant(page: Page, name: string): Promise<void> {
  await page.goto('/assistants/custom')
  await page.getByRole('button', { name: 'New assistant' }).first().click()
  const form = page.getByRole('dialog', { name: 'New assistant' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('textbox', { name: 'Assistant name' })).toHaveValue(name)
}

test('an assistant is made, asked and published, and then answers a stranger with a key', async ({
  page,
  playwright,
  baseURL,
}) => {
  await createAssistant(page, 'Travel helper')
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('practiceModel')
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Plan short trips.')
  await page.getByLabel('Starter questions').fill('Where to go in May?')
  await chat(page).getByRole('button', { name: 'Where to go in May?' }).click()
  await expect(messages(page)).toContainText('My instructions are: “Plan short trips.”')
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const asking = page.getByRole('dialog', { name: 'Publish this assistant?' })
  await asking.getByRole('button', { name: 'Publish' }).click()
  await expect(toast(page, 'Published version')).toBeVisible()
  const panel = page.getByRole('dialog', { name: 'Share' })
  const address = await panel.getByRole('textbox', { name: 'Address' }).inputValue()
  await panel.getByRole('button', { name: 'Create API key' }).click()
  await expect(panel.getByText('Copy it now')).toBeVisible()
  const code = await panel.getByLabel('curl code', { exact: true }).textContent()
  await panel.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('textbox', { name: 'Instructions' }).fill('Plan long trips.')
  await ask(page, 'And in June?')
  await expect(messages(page)).toContainText('“Plan long trips.”')
  const stranger = await playwright.request.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
  const data = { question: 'Where to?' }
  expect((await stranger.post(address, { data })).status()).toBe(401)
  const authorization = /Bearer [^"']+/.exec(code ?? '')?.[0] ?? ''
  const answer = await stranger.post(address, { data, headers: { authorization } })
  expect(await answer.text()).toContain('“Plan short trips.”')
})

test('an assistant is renamed, changed and asked on a phone, and deleted', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await api.post('/assistants', { type: 'CUSTOM', details: JSON.stringify({ name: 'Pocket helper' }) })
  await page.goto('/app')
  await page.getByRole('navigation', { name: 'Main areas' }).getByRole('link', { name: 'Assistants' }).click()
  await page.getByRole('link', { name: 'Custom assistants' }).click()
  await page.getByRole('link', { name: 'Pocket helper' }).click()
  await page.getByRole('textbox', { name: 'Assistant name' }).fill('Pocket guide')
  await page.getByRole('button', { name: 'Add tool' }).click()
  await page.getByRole('combobox', { name: 'Tool' }).selectOption('calculator')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(toast(page, 'Saved')).toBeVisible()
  await ask(page, '12 * 12')
  await expect(messages(page)).toContainText('144')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.getByRole('link', { name: 'Custom assistants' }).click()
  await page.getByRole('button', { name: 'Actions for Pocket guide' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('link', { name: 'Pocket guide' })).toBeHidden()
})
