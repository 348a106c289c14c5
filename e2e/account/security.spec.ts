/** The security of an account: second step, passkeys, sessions, on a product of its own. */
import type { Browser, Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { sessions } from '#db/schema/index.ts'
import { account } from '../support/account.ts'
import { type OrganizationProduct, signedInClient, signIn, enterpriseTest as test } from '../support/organization.ts'
import { expect, expectAccessible, expectAccessibleInBothModes, toast } from '../support/test.ts'

/** Each step is good once; the product takes those beside now. */
const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })

async function openSecurity(page: Page): Promise<void> {
  await page.goto('/account?tab=security')
  await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('table')).toBeVisible()
}

async function enterPassword(page: Page, { url }: Pick<OrganizationProduct, 'url'>): Promise<void> {
  await page.goto(`${url}/signin`)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByLabel('Password').press('Enter')
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
}

/** Another browser of the same person. */
const otherPage = async (browser: Browser, baseURL: string) => (await browser.newContext({ baseURL })).newPage()

for (const mode of ['light', 'dark'] as const) {
  test(`a second step is turned on, asked for and removed, in ${mode}`, async ({ page, product, browser }) => {
    await page.emulateMedia({ colorScheme: mode })
    if (mode === 'dark') await page.setViewportSize({ width: 390, height: 844 })
    await openSecurity(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
    await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    const secret = await dialog.getByLabel('Key', { exact: true }).inputValue()
    await expectAccessible(page)
    await dialog.getByLabel('Code', { exact: true }).fill('000000')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await expect(dialog.getByText('That code is wrong')).toBeVisible()
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codes = page.getByRole('dialog', { name: 'Keep your recovery codes' })
    const [recovery = ''] = (await codes.getByLabel('Recovery codes', { exact: true }).innerText()).split('\n')
    await expectAccessible(page)
    await codes.getByRole('button', { name: 'I kept them' }).click()
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible()

    const other = await otherPage(browser, product.url)
    await other.emulateMedia({ colorScheme: mode })
    await enterPassword(other, product)
    await expect(other.getByLabel('Code')).toBeFocused()
    await expectAccessible(other)
    for (let wrong = 1; wrong <= 5; wrong++) {
      await other.getByLabel('Code').fill(`00000${wrong}`)
      await other.getByLabel('Code').press('Enter')
      if (wrong < 5) await expect(other.getByText('That code is wrong')).toBeVisible()
      if (wrong < 5) await expect(other.getByRole('button', { name: 'Continue' })).toBeEnabled()
    }
    await expect(other.getByRole('alert')).toHaveText('Enter your email and password again.')
    await enterPassword(other, product)
    await other.getByLabel('Code').fill(codeOf(secret, 1))
    await other.getByLabel('Code').press('Enter')
    await expect(other).toHaveURL('/app')
    const third = await otherPage(browser, product.url)
    await enterPassword(third, product)
    await third.getByLabel('Code').fill(recovery)
    await third.getByLabel('Code').press('Enter')
    await expect(third).toHaveURL('/app')

    await page.reload()
    await expect(page.getByText('9 recovery codes are left.')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expect(toast(page, 'You are signed out everywhere else')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Sessions' }).getByRole('row')).toHaveCount(2)
    await third.goto('/variables')
    await expect(third).toHaveURL(/\/(signin|login)/)

    await page.getByRole('button', { name: 'Remove authenticator app' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(toast(page, 'Authenticator app removed')).toBeVisible()
    await signIn(other, product, account)
    await other.context().close()
    await third.context().close()
  })
}

/** A device that makes passkeys without asking. */
async function addDevice(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('table', { name: 'Passkeys' }).getByRole('row', { name })).toBeVisible()
}

test('a passkey signs in without a password, and proves who is there', async ({ page, product }) => {
  await addDevice(page)
  await openSecurity(page)
  await addPasskey(page, 'Laptop')
  const passkeys = page.getByRole('table', { name: 'Passkeys' })
  await expect(passkeys.getByRole('row', { name: /Laptop/ })).toContainText('Never')
  await expectAccessible(page)

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/signin')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL('/app')

  await product.database.update(sessions).set({ confirmedDate: null })
  await openSecurity(page)
  await page.getByRole('button', { name: 'Actions for Laptop' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await proof.getByRole('button', { name: 'Use a passkey instead' }).click()
  await proof.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(toast(page, 'Passkey removed')).toBeVisible()
  await expect(passkeys).toBeHidden()
})

test('what opens an account is removed one by one, by keyboard and on a phone', async ({ page, product }) => {
  await addDevice(page)
  await signedInClient(product, account)
  await openSecurity(page)
  await addPasskey(page, 'Not mine')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('link', { name: 'Review what opens your account' }).click()
  const ways = page.getByRole('list', { name: 'What else opens your account' })
  await expect(ways.getByRole('listitem')).toHaveText([/^Passkey “Not mine”/, /^Session: /])
  await expectAccessibleInBothModes(page, ['desktop', 'phone'])

  await product.database.update(sessions).set({ confirmedDate: null })
  await ways.getByRole('button', { name: 'Remove: Passkey “Not mine”' }).press('Enter')
  const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await proof.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(ways.getByRole('listitem')).toHaveText([/^Session: /])
  await expect(proof).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(ways.getByRole('button', { name: /^End: Session: / })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Only your password opens your account')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Go to security' })).toBeFocused()
})
