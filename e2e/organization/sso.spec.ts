/** Signing in with an identity provider: a real one, where somebody allows it. */
import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import type { ListedProvider, Places } from '#contract/organization/sso.ts'
import { identityProviders, organizationDomains, roles, users } from '#db/schema/index.ts'
import { account } from '../support/account.ts'
import { apiOf } from '../support/api.ts'
import { member, test as testInCloud } from '../support/cloud-server.ts'
import { makeFirstAccount } from '../support/first-account.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { type OrganizationProduct, signIn, startProduct } from '../support/organization.ts'
import { test as base, expect, expectAccessible, expectAccessibleInBothModes, setCheckbox } from '../support/test.ts'

const DATE = '2026-01-01T00:00:00.000Z'
const NAME = 'Looms ID'

/** The page is signed in with the first account; nothing is set up yet. */
const test = base.extend<{ idp: IdentityProvider; product: OrganizationProduct }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  idp: async ({}, use) => {
    const idp = await startIdentityProvider()
    await use(idp)
    await idp.close()
  },
  product: async ({ idp }, use) => {
    const product = await startProduct({ platformType: 'enterprise', allowPrivateHosts: idp.host })
    await use(product)
    await product.stop()
  },
  baseURL: ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  storageState: ({}, use) => use(undefined),
  page: async ({ page }, use) => {
    await makeFirstAccount(page, account)
    await use(page)
  },
})

interface Stage {
  page: Page
  product: OrganizationProduct
  idp: IdentityProvider
}

/** Adds a provider that is on, for the proven domain looms.example, with a default role. */
async function openProvider({ page, product, idp }: Stage): Promise<ListedProvider> {
  const api = apiOf(page, product.url)
  const { workspaces, roles } = await api.get<Places>('/sso-places')
  const roleId = roles.find(({ name }) => name === 'Viewer')?.id
  const provider = await api.post<ListedProvider>('/sso-providers', {
    ...{ kind: 'oidc', name: NAME, issuer: idp.url, ...idp.client },
    defaultRole: { workspaceId: workspaces[0]?.id, roleId },
  })
  idp.accept(provider.redirectUri)
  const isThis = eq(identityProviders.id, provider.id)
  await product.database.update(identityProviders).set({ isEnabled: true, testedDate: DATE }).where(isThis)
  const { activeOrganizationId: organizationId } = await api.get<{ activeOrganizationId: string }>('/auth/me')
  await product.database
    .insert(organizationDomains)
    .values({ id: 'd', organizationId, domain: 'looms.example', proof: 'p', provenDate: DATE, createdDate: DATE })
  return provider
}

/** Signs in at the provider, and lets Heddle know who it is. */
async function allowAtProvider(page: Page): Promise<void> {
  for (let step = 0; step < 2; step++) {
    await expect(page.getByRole('heading', { name: 'Provider' })).toBeVisible()
    const url = page.url()
    await page.getByRole('link', { name: 'Allow' }).click()
    await expect(page).not.toHaveURL(url)
  }
}

/** The same in a window that closes itself at its end. */
async function allowInWindow(opened: Page): Promise<void> {
  const closed = opened.waitForEvent('close')
  const allow = opened.getByRole('link', { name: 'Allow' })
  const url = await allow.getAttribute('href')
  await allow.click()
  await expect(allow).not.toHaveAttribute('href', url ?? '')
  await allow.click()
  await closed
}

const bo = { sub: 'bo', email: 'bo@looms.example', email_verified: true, name: 'Bo' }
const offer = (page: Page) => page.getByRole('link', { name: `Continue with ${NAME}` })

/** In another browser's stead: nobody is signed in any more. */
async function enterAddress(page: Page, email: string): Promise<void> {
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/signin')
  await page.getByLabel('Email').fill(email)
}

test('a person who enters an address of the domain signs in at its provider, and lands in the workspace', async ({
  page,
  product,
  idp,
}) => {
  await openProvider({ page, product, idp })
  idp.person = bo
  await enterAddress(page, 'somebody@elsewhere.example')
  await expect(offer(page)).toHaveCount(0)
  await page.getByLabel('Email').fill(bo.email)
  await expect(offer(page)).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(() => document.documentElement.classList.add('dark'))
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await offer(page).focus()
  await page.keyboard.press('Enter')
  await allowAtProvider(page)
  await expect(page).toHaveURL('/app')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await apiOf(page, product.url).get('/auth/me')).toMatchObject({ email: bo.email, isSSO: true, role: 'Viewer' })
})

test('the sign-in page says where single sign-on is required, and offers the provider', async ({
  page,
  product,
  idp,
}) => {
  await openProvider({ page, product, idp })
  await product.database.update(identityProviders).set({ isRequired: true })
  await enterAddress(page, bo.email)
  await expect(page.getByText('People of your organization sign in here:')).toBeVisible()
  await expect(offer(page)).toBeVisible()
  await expectAccessible(page)
})

test('a sign-in that fails leads back to the sign-in page, which says what to do', async ({ page, product, idp }) => {
  const { id } = await openProvider({ page, product, idp })
  idp.person = bo
  idp.forgery = { sign: 'other-key' }
  await enterAddress(page, bo.email)
  await offer(page).click()
  await allowAtProvider(page)
  await expect(page).toHaveURL('/signin?sso=failed')
  await expect(page.getByText('Try again, or ask your admin to test its settings.')).toBeVisible()
  await expectAccessible(page)

  idp.forgery = {}
  await page.goto(`/api/v1/sso/${id}/callback?state=made-up&code=made-up`)
  await expect(page.getByText('This sign-in has expired or was started in another browser. Start again.')).toBeVisible()
  await page.goto('/sso-success')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('an account is linked with a provider, signs in there, and is unlinked', async ({ page, product, idp }) => {
  await openProvider({ page, product, idp })
  const client = apiOf(page, product.url)
  // The first account administers the platform, and no provider of an organization lets it in.
  await page.goto('/account?tab=identities')
  await expect(page.getByText('Your organization offers no identity provider yet.')).toBeVisible()
  await expectAccessible(page)

  await product.database.update(identityProviders).set({ organizationId: null })
  idp.person = { ...bo, email: account.email }
  await page.reload()
  await page.getByRole('button', { name: `Link with ${NAME}` }).focus()
  await page.keyboard.press('Enter')
  await allowAtProvider(page)
  await expect(page.getByText('Linked. You can sign in with this provider from now on.')).toBeVisible()
  await expectAccessible(page)
  const before = await client.get<{ id: string }>('/auth/me')

  await enterAddress(page, account.email)
  await offer(page).click()
  await allowAtProvider(page)
  await expect(page).toHaveURL('/app')
  expect(await client.get('/auth/me')).toMatchObject({ id: before.id, isSSO: true })
  await page.goto('/account?tab=identities')
  await page.getByRole('button', { name: `Unlink ${account.email} at ${idp.url}` }).click()
  await expect(page.getByRole('button', { name: /^Unlink/ })).toHaveCount(0)
})

test('a provider is added, tested and switched on', async ({ page, product, idp }) => {
  await page.goto('/account?tab=sso')
  await page.getByRole('button', { name: 'New provider' }).click()
  const dialog = page.getByRole('dialog', { name: 'New provider' })
  await dialog.getByLabel('Kind').selectOption('OpenID Connect')
  await dialog.getByLabel('Name', { exact: true }).fill(NAME)
  await dialog.getByLabel('Issuer').fill(idp.url)
  await dialog.getByLabel('Client ID').fill(idp.client.clientId)
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill(idp.client.clientSecret)
  await expectAccessible(page, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const card = page.getByRole('region', { name: NAME })
  await expect(card.getByText('Not tested')).toBeVisible()
  const [provider] = await apiOf(page, product.url).get<ListedProvider[]>('/sso-providers')
  idp.accept(provider?.redirectUri ?? '')

  await card.getByRole('button', { name: 'Test sign-in' }).click()
  await allowAtProvider(page)
  await expect(page.getByText('The test sign-in worked. You can switch the provider on now.')).toBeVisible()
  await card.getByRole('button', { name: 'Edit' }).click()
  await page.getByText('Offer it on the sign-in page').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(card.getByText('On', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(() => document.documentElement.classList.add('dark'))
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('someone who signed in with the provider proves to be there by signing in there again, and goes on', async ({
  page,
  product,
  idp,
}) => {
  await openProvider({ page, product, idp })
  const permissions = ['apikeys:view', 'apikeys:create', 'variables:view']
  await product.database.update(roles).set({ builtIn: null, permissions })
  idp.person = bo
  await enterAddress(page, bo.email)
  await offer(page).click()
  await allowAtProvider(page)
  await expect(page).toHaveURL('/app')

  await page.goto('/apikey')
  await page.getByRole('button', { name: 'New API key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill('Loom')
  await dialog.getByRole('button', { name: 'Custom' }).click()
  await setCheckbox(dialog.getByRole('checkbox', { name: 'Variables: View' }), true)
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await expect(proof.getByText(`Sign in again with ${NAME}.`)).toBeVisible()
  await expectAccessibleInBothModes(page, ['desktop', 'phone'], '[role=dialog]')

  idp.person = { ...bo, sub: 'somebody-else' }
  const another = page.waitForEvent('popup')
  await proof.getByRole('button', { name: `Continue with ${NAME}` }).click()
  await allowInWindow(await another)
  await expect(proof.getByText('You signed in there as somebody else.')).toBeVisible()

  idp.person = bo
  const own = page.waitForEvent('popup')
  await proof.getByRole('button', { name: `Continue with ${NAME}` }).click()
  await allowInWindow(await own)
  await expect(proof).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'API key “Loom”' })).toBeVisible()
})

test('someone who is more than the organization’s reads on the account page how to open their account', async ({
  page,
  product,
  idp,
}) => {
  await openProvider({ page, product, idp })
  idp.person = bo
  await enterAddress(page, bo.email)
  await offer(page).click()
  await allowAtProvider(page)
  await expect(page).toHaveURL('/app')
  await page.goto('/account?tab=profile')
  await expect(page.getByLabel('Name')).toHaveValue(bo.name)

  await product.database.update(users).set({ passwordHash: 'x' }).where(eq(users.email, bo.email))
  await page.reload()
  for (const tab of ['Security', 'Profile', 'Linked sign-ins']) {
    await page.getByRole('tab', { name: tab }).click()
    const panel = page.getByRole('tabpanel', { name: tab })
    await expect(panel.getByRole('heading', { name: 'Sign in with your password or passkey' })).toBeVisible()
  }
  await expectAccessibleInBothModes(page, ['desktop', 'phone'])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Sign out and sign in again' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

testInCloud('who is no admin sees single sign-on, and cannot change it', async ({ page, product }) => {
  await product.allow('sso:manage', 'tools:view')
  await product.asOwner('POST', '/sso-domains', { domain: 'looms.example' })
  await signIn(page, product, member)
  await page.goto('/account?tab=sso')
  await expect(page.getByText('Only admins of your organization can change single sign-on.')).toBeVisible()
  await expect(page.getByText('looms.example', { exact: true })).toBeVisible()
  for (const name of ['New provider', 'Add domain', 'Check record', 'Delete', 'New token']) {
    await expect(page.getByRole('button', { name })).toBeDisabled()
  }
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(() => document.documentElement.classList.add('dark'))
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
