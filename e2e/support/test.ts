/** The journeys' `test`: signed in, with the API and the scripted model server, and no error in the page's console. */
import { rmSync, statSync } from 'node:fs'
import { test as base, expect, type Locator, type Page, request } from '@playwright/test'
import axe from 'axe-core'
import { account, sessionFile } from './account.ts'
import { type Api, apiOf } from './api.ts'
import { makeFirstAccount } from './first-account.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { dataDir, modelPort, oauthPort, productPort } from './ports.ts'
import { killProduct, startProduct } from './product-process.ts'

export { expect } from '@playwright/test'

interface Fixtures {
  api: Api
  /** The scripted model server, without a script at the beginning of each test. */
  model: ModelServer
  consoleIsClean: undefined
  nothingIsHeldInVain: undefined
}

interface WorkerFixtures {
  server: ModelServer
  /** The address of the product that the journeys of a worker share. Its first account is signed in. */
  sharedProduct: string
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  sharedProduct: [
    async ({ browser }, use) => {
      rmSync(dataDir, { recursive: true, force: true })
      const allowPrivateHosts = `127.0.0.1:${modelPort},localhost:${modelPort},127.0.0.1:${oauthPort}`
      const product = await startProduct({ dataDir, port: productPort, allowPrivateHosts })
      const url = `http://localhost:${productPort}`
      const page = await browser.newPage({ baseURL: url })
      await makeFirstAccount(page, account)
      await page.context().storageState({ path: sessionFile })
      await page.context().close()
      await use(url)
      await killProduct(product)
    },
    // The first start of a machine loads what later ones have in memory.
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ sharedProduct }, use) => use(sharedProduct),
  storageState: async ({ sharedProduct }, use) => {
    await keepSignedIn(sharedProduct)
    await use(sessionFile)
  },

  api: ({ page, baseURL }, use) => use(apiOf(page, baseURL ?? '')),

  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
    async ({}, use) => {
      const server = await startModelServer(modelPort)
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],

  model: async ({ server }, use) => {
    server.reset()
    await use(server)
  },

  consoleIsClean: [
    async ({ page }, use) => {
      const errors = errorsOf(page)
      await use(undefined)
      expect(errors, 'errors in the console').toEqual([])
    },
    { auto: true },
  ],

  nothingIsHeldInVain: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
    async ({}, use) => {
      heldBack.clear()
      await use(undefined)
      for (const [url, requests] of heldBack) expect(requests, `requests for ${url}`).toBeGreaterThan(0)
    },
    { auto: true },
  ],
})

/** Milliseconds, well below the life of an access token: every journey begins with the same file. */
const SESSION_LASTS = 5 * 60_000

async function keepSignedIn(baseURL: string): Promise<void> {
  if (Date.now() - statSync(sessionFile).mtimeMs < SESSION_LASTS) return
  const person = await request.newContext({ baseURL, storageState: sessionFile, extraHTTPHeaders: { origin: baseURL } })
  const { email, password } = account
  const answer = await person.post('/api/v1/auth/login', { data: { email, password } })
  expect(answer.status(), await answer.text()).toBeLessThan(300)
  await person.storageState({ path: sessionFile })
  await person.dispose()
}

/** What the page's scripts complain of; refusals by the server are the journeys' own matter. */
function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  return errors
}

/** Axe asks every element of a page: of the largest ones for seconds, on a busy machine for many. */
const AXE_TIMEOUT_MS = 60_000

/** Fails with the rules that the page, or the part of it that the selector names, breaks, and where. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  // A button that was just enabled still has its old colours for a frame.
  await expect.poll(() => violationsOf(page, part), { timeout: AXE_TIMEOUT_MS }).toEqual([])
}

/**
 * Ticks a checkbox by its label, or clears it. The input itself is one hidden pixel: a forced click on it waits for
 * nothing, and fails while the page still moves.
 */
export async function setCheckbox(box: Locator, isOn: boolean): Promise<void> {
  await expect(box).toBeChecked({ checked: !isOn })
  await box.locator('xpath=ancestor::label').click()
  await expect(box).toBeChecked({ checked: isOn })
}

const LAYOUTS = { desktop: { width: 1400, height: 900 }, phone: { width: 390, height: 844 } }

/** Fails like `expectAccessible`, for each layout in light and in dark. */
export async function expectAccessibleInBothModes(
  page: Page,
  layouts: readonly (keyof typeof LAYOUTS)[] = ['desktop'],
  part?: string,
): Promise<void> {
  for (const layout of layouts) {
    await page.setViewportSize(LAYOUTS[layout])
    await expectAccessible(page, part)
    await setDark(page, true)
    await expectAccessible(page, part)
    await setDark(page, false)
  }
}

/** As the page's switch does, which a dialog would cover. */
const setDark = (page: Page, isDark: boolean) =>
  page.evaluate((dark) => {
    for (const { classList } of document.querySelectorAll('html, .react-flow')) {
      classList.toggle('dark', dark)
      classList.toggle('light', !dark)
    }
  }, isDark)

async function violationsOf(page: Page, part: string) {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
  }
  return page.evaluate(async (include) => {
    // What dark mode changes is colours: the other rules were asked in light.
    const isDark = document.documentElement.classList.contains('dark')
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      { include },
      { resultTypes: ['violations'], ...(isDark && { runOnly: { type: 'rule', values: ['color-contrast'] } }) },
    )
    return violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }))
  }, part)
}

/** The toast with this text. */
export const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** The person looks at this tab again: no browser without a window tells a page so. */
export const comeBackTo = (page: Page) =>
  page.evaluate(() => {
    window.dispatchEvent(new Event('focus'))
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })

/**
 * Waits until a status says this: a string is the whole of its text. Other statuses may stand beside it.
 * @param timeout milliseconds
 */
export const expectStatus = (scope: Page | Locator, text: string | RegExp, timeout?: number): Promise<void> => {
  const whole = typeof text === 'string' ? new RegExp(`^\\s*${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\s*$`) : text
  return expect(scope.getByRole('status').filter({ hasText: whole })).toBeVisible({ timeout })
}

/** Waits until a list shows its rows, or that there are none. Its button for a new row moves when there are none. */
export const expectLoaded = (page: Page): Promise<void> =>
  expect(page.getByRole('table').or(page.getByRole('heading', { name: /^No .* yet$/ }))).toBeVisible()

/** What the test holds back, by address, with the number of requests. */
const heldBack = new Map<string, number>()

/**
 * Holds back what the page asks for under this address. The test fails when the page asks for nothing there.
 * @returns a function that lets it come, as soon as the page has asked
 */
export async function holdBack(page: Page, url: string): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  heldBack.set(url, 0)
  await page.route(url, async (route) => {
    heldBack.set(url, (heldBack.get(url) ?? 0) + 1)
    await promise
    await route.continue()
  })
  return async () => {
    await expect.poll(() => heldBack.get(url), { message: `requests for ${url}` }).toBeGreaterThan(0)
    resolve()
  }
}
