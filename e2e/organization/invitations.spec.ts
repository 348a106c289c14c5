/** From an invitation to a removal, with the emails of a product in cloud mode. */
import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { sessions } from '#db/schema/index.ts'
import { createTestClient } from '#worker/local/testing/client.ts'
import { callAs, type OrganizationProduct, signedInClient, signIn, startProduct } from '../support/organization.ts'
import { linkTo, otherPage } from '../support/outbox.ts'
import { test as base, expect, expectAccessible, expectAccessibleInBothModes, toast } from '../support/test.ts'

const PASSWORD = 'Shuttle-and-warp-7'
const OWNER = 'owner@example.com'

// Each starts a product of its own.
base.describe.configure({ timeout: 180_000 })

const test = base.extend<{ product: OrganizationProduct }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  product: async ({}, use) => {
    const product = await startProduct({ platformType: 'cloud' })
    await use(product)
    await product.stop()
  },
  baseURL: ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  storageState: ({}, use) => use(undefined),
  page: async ({ page, product }, use) => {
    await page.goto('/register')
    await page.getByLabel('Name').fill('Olga Owner')
    await page.getByLabel('Email').fill(OWNER)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Password').press('Enter')
    await page.goto(await linkTo(product, OWNER, 1))
    await page.getByRole('button', { name: 'Confirm and continue' }).click()
    await expect(page).toHaveURL('/app')
    await use(page)
  },
})

async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.goto('/account?tab=users')
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('combobox', { name: 'Role in Default Workspace' }).selectOption({ label: role })
  await expectAccessible(page)
  await dialog.getByLabel('Email').press('Enter')
  await expect(toast(page, `Invitation sent to ${email}`)).toBeVisible()
}

test('an invited person joins with a role, works, and is removed', async ({ page, product, browser }) => {
  const email = 'mia@example.com'
  await invite(page, email, 'Workspace Admin')
  await expect(page.getByRole('row', { name: /mia@example.com/ })).toContainText('Waiting')
  await expectAccessible(page)

  const mia = await otherPage(browser, product.url)
  await mia.emulateMedia({ colorScheme: 'dark' })
  await mia.setViewportSize({ width: 390, height: 844 })
  await mia.goto(await linkTo(product, email, 1))
  await expect(mia.getByText(`Olga Owner invited ${email}.`)).toBeVisible()
  await expect(mia.getByLabel('Name')).toBeFocused()
  await expectAccessible(mia)
  await mia.keyboard.type('Mia Reader')
  await mia.keyboard.press('Tab')
  await mia.keyboard.type(PASSWORD)
  await mia.keyboard.press('Enter')
  await expect(mia).toHaveURL('/app')
  await mia.goto('/variables')
  await expect(mia.getByRole('heading', { name: 'No variables yet' })).toBeVisible()
  const client = await signedInClient(product, { name: 'Mia Reader', email, password: PASSWORD })
  await callAs(client, 'POST', '/apikey', { keyName: 'Loom key', permissions: ['chatflows:view'] })

  await page.reload()
  await page.getByRole('button', { name: 'Actions for Mia Reader' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, /API keys that Mia Reader made still work: Loom key \(Default Workspace\)/)).toBeVisible()
  await expect(page.getByRole('row', { name: /mia@example.com/ })).toHaveCount(0)
  await mia.goto('/variables')
  await expect(mia).toHaveURL(/\/(signin|unauthorized|login)/)
  await mia.context().close()
})

test('somebody signed in as another is told so, and a revoked link does nothing', async ({
  page,
  product,
  browser,
}) => {
  const email = 'bo@example.com'
  await invite(page, email, 'Viewer')
  const link = await linkTo(product, email, 1)
  await page.goto(link)
  await expect(page.getByText(`You’re signed in as ${OWNER}, but this invitation is for ${email}.`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Stay signed in' }).press('Enter')
  await expect(page).toHaveURL('/app')

  await page.goto('/account?tab=users')
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await expect(toast(page, 'Invitation revoked')).toBeVisible()
  const bo = await otherPage(browser, product.url)
  await bo.goto(link)
  await expect(bo.getByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible()
  await expectAccessible(bo)
  await bo.context().close()
})

test('an admin removes the two-step sign-in of somebody who lost their phone', async ({ page, product, browser }) => {
  const email = 'mia@example.com'
  await invite(page, email, 'Viewer')
  const token = (await linkTo(product, email, 1)).split('token=')[1]
  const person = { name: 'Mia Reader', email, password: PASSWORD }
  const client = createTestClient(product.url)
  await callAs(client, 'POST', '/account/invitation/accept', { token, name: person.name, password: PASSWORD })
  const { secret } = await callAs<{ secret: string }>(client, 'POST', '/account/authenticator')
  await callAs(client, 'POST', '/account/authenticator/confirm', { code: new TOTP({ secret }).generate() })

  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await product.database.update(sessions).set({ confirmedDate: null })
  await page.getByRole('button', { name: 'Actions for Mia Reader' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Remove two-step sign-in' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove two-step sign-in of Mia Reader?' })
  await expect(question).toContainText('an email tells them')
  await expectAccessibleInBothModes(page, ['desktop', 'phone'])
  await question.getByRole('button', { name: 'Remove two-step sign-in' }).press('Enter')
  const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Mia Reader signs in without a code now')).toBeVisible()
  expect((await client.fetch('/api/v1/auth/me')).status).toBe(401)
  await page.getByRole('button', { name: 'Actions for Mia Reader' }).click()
  await expect(page.getByRole('menuitem', { name: 'Remove', exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Remove two-step sign-in' })).toHaveCount(0)
  const mia = await otherPage(browser, product.url)
  await signIn(mia, product, person)
  await mia.context().close()
})
