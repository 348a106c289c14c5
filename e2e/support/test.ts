/** The journeys' `test`: signed in, with the API and the scripted model server, and no error in the page's console. */
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type Api, apiOf } from './api.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { modelPort } from './ports.ts'

export { expect } from '@playwright/test'

interface Fixtures {
  api: Api
  /** The scripted model server, without a script at the beginning of each test. */
  model: ModelServer
  consoleIsClean: undefined
}

export const test = base.extend<Fixtures, { server: ModelServer }>({
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
})

/** What the page's scripts complain of; refusals by the server are the journeys' own matter. */
export function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  return errors
}

/** Fails with the rules that the page, or the part of it that the selector names, breaks, and where. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  const builder = new AxeBuilder({ page }).include(part)
  // What dark mode changes is colours: the other rules were asked in light.
  const isDark = await page.evaluate(() => document.documentElement.classList.contains('dark'))
  const { violations } = await (isDark ? builder.withRules('color-contrast') : builder).analyze()
  const broken = violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ html }) => html) }))
  expect(broken).toEqual([])
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
