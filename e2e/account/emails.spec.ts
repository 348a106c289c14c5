/** Emails, read from the outbox of a product in cloud mode: registration, a forgotten password, a new address. */
import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { callAs, type OrganizationProduct, signedInClient, signIn, startProduct } from '../support/organization.ts'
import { linkTo, otherPage } from '../support/outbox.ts'
import { test as base, expect, expectAccessible, expectAccessibleInBothModes, expectStatus } from '../support/test.ts'

const PASSWORD = 'Shuttle-and-warp-7'
const NEW_PASSWORD = 'Warp-and-shuttle-8'
const SENT = /^If this address can be used, an email is on its way\./

const test = base.extend<object, { product: OrganizationProduct }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
    async ({}, use) => {
      const product = await startProduct({ platformType: 'cloud' })
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  storageState: ({}, use) => use(undefined),
})

async function register(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('Name').fill('Ada Weaver')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
}

/** Registers and confirms; the page is signed in then. */
async function joinByEmail(page: Page, product: OrganizationProduct, email: string): Promise<void> {
  await register(page, email)
  await page.goto(await linkTo(product, email, 1))
  await page.getByRole('button', { name: 'Confirm and continue' }).press('Enter')
  await expect(page).toHaveURL('/app')
}

async function ask(page: Page, path: string, email: string, button: string): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: button }).click()
  await expectStatus(page, SENT)
}

test('a registration opens with the link of its newest email', async ({ page, product }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  const email = 'new@example.com'
  await register(page, email)
  await expect(page.getByText(SENT)).toBeVisible()
  await expectAccessible(page)
  const first = await linkTo(product, email, 1)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send another email' }).click()
  const second = await linkTo(product, email, 2)
  await page.goto(first)
  await expect(page).toHaveURL('/verify')
  await page.getByRole('button', { name: 'Confirm and continue' }).click()
  await expect(page.getByText('This link has expired or was used already.')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/signin')
  await page.goto(second)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm and continue' }).press('Enter')
  await expect(page).toHaveURL('/app')
})

test('a registration that is confirmed in another browser gets another password', async ({
  page,
  product,
  browser,
}) => {
  const email = 'victim@example.com'
  const visitor = await otherPage(browser, product.url)
  await register(visitor, email, 'A-visitor-chose-it-1')
  await page.goto(await linkTo(product, email, 1))
  await page.getByRole('button', { name: 'Confirm and continue' }).click()
  await expect(page.getByText('You’re in another browser than when you signed up.')).toBeVisible()
  await expect(page.getByLabel('Name')).toBeFocused()
  await expectAccessible(page)
  await page.getByLabel('Name').fill('Vic')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL('/app')
  await visitor.goto('/signin')
  await visitor.getByLabel('Email').fill(email)
  await visitor.getByLabel('Password').fill('A-visitor-chose-it-1')
  await visitor.getByLabel('Password').press('Enter')
  await expect(visitor.getByText('Email or password is wrong')).toBeVisible()
  await visitor.context().close()
})

test('an address that has an account, and one that has none, are answered alike', async ({ page, product }) => {
  const email = 'known@example.com'
  await joinByEmail(page, product, email)
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await register(page, email)
  await expect(page.getByText(SENT)).toBeVisible()
  expect(await linkTo(product, email, 2)).toBe(`${product.url}/signin`)
  for (const address of [email, 'nobody@example.com']) {
    await ask(page, '/forgot-password', address, 'Send the link')
    await ask(page, '/verify', address, 'Send the email')
  }
  await linkTo(product, email, 3)
  await linkTo(product, 'nobody@example.com', 0)

  await page.goto('/forgot-password')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(page).toHaveURL('/signin')
})

test('a forgotten password is replaced, the second step stays, and then all that a thief added is removed', async ({
  page,
  product,
  browser,
}) => {
  const email = 'forgot@example.com'
  await joinByEmail(page, product, email)
  const client = await signedInClient(product, { name: 'Ada Weaver', email, password: PASSWORD })
  const { secret } = await callAs<{ secret: string }>(client, 'POST', '/account/authenticator')
  const code = (steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
  await callAs(client, 'POST', '/account/authenticator/confirm', { code: code(-1) })

  const other = await otherPage(browser, product.url)
  await ask(other, '/forgot-password', email, 'Send the link')
  await other.goto(await linkTo(product, email, 2))
  await expect(other).toHaveURL('/reset-password')
  await expect(other.getByLabel('New password')).toBeFocused()
  await expectAccessible(other)
  await other.getByLabel('New password').fill(NEW_PASSWORD)
  await other.getByLabel('New password').press('Enter')
  await expect(other.getByRole('heading', { name: 'Your password was changed' })).toBeVisible()
  await page.goto('/variables')
  await expect(page).toHaveURL(/\/signin/)

  await other.getByRole('link', { name: 'Sign in' }).click()
  await other.getByLabel('Email').fill(email)
  await other.getByLabel('Password').fill(NEW_PASSWORD)
  await other.getByLabel('Password').press('Enter')
  await expect(other.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  await other.getByLabel('Code').fill(code(0))
  await other.getByLabel('Code').press('Enter')
  await expect(other).toHaveURL('/review-sign-in')
  const ways = other.getByRole('list', { name: 'What else opens your account' })
  await expect(ways.getByRole('listitem')).toHaveText([/^Authenticator app with 10 recovery codes/])
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Remove all of this' }).click()
  await expect(other.getByText('Only your password opens your account')).toBeVisible()
  await expectAccessible(other)
  await other.getByRole('link', { name: 'Go to security' }).click()
  await expect(other.getByRole('link', { name: 'Review what opens your account' })).toBeVisible()
  await other.context().close()

  await page.goto('/signin')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(NEW_PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL('/app')
})

test('a new address is confirmed there and undone from the old one', async ({ page, product, browser }) => {
  const [old, fresh] = ['old@example.com', 'fresh@example.com']
  await joinByEmail(page, product, old)
  await page.goto('/account?tab=security')
  const section = page.getByRole('region', { name: 'Email' })
  await expect(section).toContainText(old)
  await section.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await expectAccessible(page)
  await dialog.getByLabel('New email').fill(old)
  await dialog.getByLabel('New email').press('Enter')
  await expect(dialog.getByText('This is your address already.').first()).toBeVisible()
  await dialog.getByLabel('New email').fill(fresh)
  await dialog.getByLabel('New email').press('Enter')
  await expectStatus(section, SENT)
  await expectAccessible(page)

  const link = await linkTo(product, fresh, 1)
  const visitor = await otherPage(browser, product.url)
  await visitor.goto(link)
  await expect(visitor.getByText('Sign in with your current address first.')).toBeVisible()
  await expectAccessible(visitor)
  await page.goto(link)
  await expect(page).toHaveURL('/confirm-email')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change my address' }).press('Enter')
  await expect(page.getByText(`From now on you sign in with ${fresh}.`)).toBeVisible()
  await page.getByRole('link', { name: 'Go to your account' }).click()
  await expect(section).toContainText(fresh)

  await visitor.emulateMedia({ colorScheme: 'dark' })
  await visitor.setViewportSize({ width: 390, height: 844 })
  await visitor.goto(await linkTo(product, old, 2))
  await expect(visitor.getByRole('heading', { name: 'Undo the change of your address?' })).toBeVisible()
  await expectAccessible(visitor)
  await visitor.getByRole('button', { name: 'Undo the change' }).press('Enter')
  await visitor.getByLabel('New password').fill(NEW_PASSWORD)
  await visitor.getByLabel('New password').press('Enter')
  await expect(visitor.getByRole('heading', { name: 'Your password was changed' })).toBeVisible()
  await page.goto('/variables')
  await expect(page).toHaveURL(/\/signin/)
  await signIn(visitor, product, { name: 'Ada Weaver', email: old, password: NEW_PASSWORD })
  await visitor.context().close()
})

test('emails about questions are turned off, and stay off', async ({ page, product }) => {
  await joinByEmail(page, product, 'quiet@example.com')
  await page.goto('/account')
  await page.getByRole('tab', { name: 'Emails' }).press('Enter')
  const toggle = page.getByRole('checkbox', { name: 'Email me when a run waits for my answer' })
  await expect(toggle).toBeChecked()
  await expectAccessibleInBothModes(page, ['desktop', 'phone'])
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await toggle.press('Space')
  await saved
  await page.reload()
  await expect(toggle).not.toBeChecked()
})
