import type { Locator } from '@playwright/test'
import { account } from '../support/account.ts'
import { chat, messages } from '../support/canvas.ts'
import { test } from '../support/isolated-server.ts'
import { expect, expectAccessible } from '../support/test.ts'

/** What the product asks of whoever makes its first account. */
const setupToken = 'only-the-operator-knows'

test.use({ productOptions: { setupToken } })

test('a fresh installation makes its first account, and then no other', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL('/setup')
  await expect(page.getByRole('heading', { name: 'Welcome to Heddle' })).toBeVisible()

  // Name, email and password; only installations that have a setup token ask for it too.
  await expect(page.locator('form input')).toHaveCount(4)
  await page.getByRole('button', { name: 'Create account and start' }).click()
  await expect(page.getByRole('heading', { name: 'Fix the following:' })).toBeVisible()
  await expect(page.getByLabel('Name')).toBeFocused()

  await page.getByLabel('Name').fill(account.name)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill('short')
  await page.getByLabel('Password').press('Enter')
  await expect(page.getByLabel('Password')).toBeFocused()
  await expect(page.getByText('Use at least 8 characters.').first()).toBeVisible()

  await page.getByLabel('Password').fill(account.password)
  await page.getByLabel('Setup token').fill('a guess of a visitor')
  await page.getByRole('button', { name: 'Create account and start' }).click()
  await expect(page.getByText('Wrong setup token.').first()).toBeVisible()
  await page.getByLabel('Setup token').fill(setupToken)

  let clicks = 0
  const click = async (what: Locator) => {
    await what.click()
    clicks += 1
  }
  await click(page.getByRole('button', { name: 'Create account and start' }))
  await expect(page.getByRole('heading', { name: `Welcome, ${account.name}` })).toBeVisible()
  await expect(page).toHaveURL('/app')

  await expect(page.getByRole('region', { name: 'Start from a template' }).locator('svg')).toHaveCount(3)
  await expectAccessible(page)

  await click(page.getByRole('link', { name: 'New agent flow' }))
  await click(page.getByRole('button', { name: 'Chat', exact: true }))
  await expect(chat(page).getByRole('textbox', { name: 'Question' })).toBeFocused()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.keyboard.type('Can you hear me?')
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText('I can’t answer “Can you hear me?”')
  expect(clicks).toBeLessThanOrEqual(3)
  await expect(page.getByRole('textbox', { name: 'Flow name' })).toHaveValue('Can you hear me?')

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  for (const [path, text] of [
    ['/setup', 'This installation already has an administrator.'],
    ['/register', 'Registration is closed because this installation already has an account.'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(text)).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create an account' })).toBeHidden()
})
