import type { BrowserContext, Page } from '@playwright/test'
import { generateSignedCookie } from 'hono/cookie'
import { derivedKey } from '#worker/http/session/secrets.ts'
import { ACCESS_SECONDS, signAccessToken } from '#worker/http/session/tokens.ts'
import { findSecrets } from '#worker/local/environment.ts'
import { account } from '../support/account.ts'
import { draw, practice, reply, start } from '../support/draw.ts'
import { dataDir } from '../support/ports.ts'
import { expect, test } from '../support/test.ts'

// These journeys end and renew sessions: each has one of its own.
test.use({ storageState: { cookies: [], origins: [] } })

async function signIn(page: Page) {
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function cookieOf(context: BrowserContext, name: string) {
  const cookie = (await context.cookies()).find((each) => each.name === name)
  if (!cookie) throw new Error(`There is no cookie ${name}`)
  return cookie
}

/** Puts the access token that this session had a quarter of an hour ago in the place of the present one. */
async function ageAccessToken(context: BrowserContext) {
  const { SESSION_KEY } = findSecrets({ dataDir })
  const [sessionId = ''] = (await cookieOf(context, 'heddle-refresh')).value.split('.')
  const longAgo = new Date(Date.now() - (ACCESS_SECONDS + 60) * 1000)
  const token = await signAccessToken(SESSION_KEY, sessionId, longAgo)
  const cookie = await generateSignedCookie('heddle-access', token, derivedKey(SESSION_KEY, 'cookie'))
  const value = cookie.slice('heddle-access='.length).split(';')[0] as string
  await context.addCookies([{ ...(await cookieOf(context, 'heddle-access')), value }])
}

test('a visitor is asked to sign in, and then is where they wanted to be', async ({ page }) => {
  await page.goto('/credentials')
  await expect(page).toHaveURL('/signin?next=%2Fcredentials')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByLabel('Password').press('Enter')
  await expect(page.getByText('Email or password is wrong')).toBeVisible()
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'text')
  await expect(page.getByLabel('Password')).toHaveValue('not the password')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'password')

  await signIn(page)
  await expect(page).toHaveURL('/credentials')
  await expect(page.getByRole('heading', { name: 'Credentials', level: 1 })).toBeVisible()
})

test('signing out ends the session here and on the server', async ({ page, context, api }) => {
  await page.goto('/signin')
  await signIn(page)
  await expect(page).toHaveURL('/app')
  const before = await context.cookies()

  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByText(account.email)).toBeVisible()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/signin')
  expect(await page.evaluate(() => [localStorage.isAuthenticated, localStorage.user])).toEqual(['false', undefined])
  await page.goto('/agentflows')
  await expect(page).toHaveURL(/\/signin/)

  await context.addCookies(before)
  await expect(api.get('/auth/me')).rejects.toThrow('answered 401')
  await expect(api.post('/auth/refreshToken', {})).rejects.toThrow('answered 401')
})

test('an expired access token is renewed once for all requests, unnoticed', async ({ page, context, api }) => {
  await page.goto('/signin')
  await signIn(page)
  await expect(page).toHaveURL('/app')
  const { id } = await api.createFlow('Renewal', await draw(api, [start(), practice(), reply('done')]))
  await page.goto('/agentflows')
  await expect(page.getByRole('link', { name: 'Renewal' })).toBeVisible()

  await ageAccessToken(context)
  const answers: string[] = []
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname
    if (path.startsWith('/api/')) answers.push(`${response.status()} ${path.slice('/api/v1'.length)}`)
  })
  await page.goto(`/v2/agentcanvas/${id}`)
  await expect(page.getByRole('textbox', { name: 'Flow name' })).toHaveValue('Renewal')
  await expect(page.getByRole('region', { name: 'Canvas' }).getByText('Practice', { exact: true })).toBeVisible()

  const refused = answers.filter((answer) => answer.startsWith('401')).map((answer) => answer.slice(4))
  expect(refused).toEqual(expect.arrayContaining(['/nodes', `/chatflows/${id}`]))
  expect(answers.filter((answer) => answer.endsWith('/auth/refreshToken'))).toEqual(['200 /auth/refreshToken'])
  for (const path of refused) expect(answers).toContain(`200 ${path}`)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a session that was ended elsewhere asks for the password, and then goes on', async ({ page, context, api }) => {
  await page.goto('/signin?next=/variables')
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'No variables yet' })).toBeVisible()
  const kept = await context.cookies()
  await api.post('/account/logout', {})
  await context.addCookies(kept)
  await page.getByRole('link', { name: 'Credentials' }).click()
  await expect(page).toHaveURL(/\/signin/)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('You’re signed in as')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await signIn(page)
  await expect(page).toHaveURL('/app')
})

test('an unknown address says so', async ({ page }) => {
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to home' }).click()
  await expect(page).toHaveURL(/\/signin/)
})
