/** No page breaks a rule of axe, in light and in dark. */
import type { Page } from '@playwright/test'
import { ask, messages, nodeOf, openCanvas, openChat, surface } from './support/canvas.ts'
import { draw, practice, reply, start } from './support/draw.ts'
import { expect, expectAccessible, test } from './support/test.ts'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })

for (const mode of ['light', 'dark']) {
  test.describe(mode, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript((isDark) => localStorage.setItem('isDarkMode', String(isDark)), mode === 'dark')
    })

    test('lists, with something in them', async ({ page, api }) => {
      await api.createFlow('Accessible', await draw(api, [start(), reply('Hello')]))
      await api.post('/variables', { name: `seen_${mode}`, value: '1', type: 'static' })
      await api.post('/apikey', { keyName: `Seen ${mode}`, permissions: ['agentflows:view'] })
      for (const [path, title] of [
        ['/app', /^Welcome/],
        ['/agentflows', 'Agentflows'],
        ['/executions', 'Executions'],
        ['/triggers', 'Triggers'],
        ['/credentials', 'Credentials'],
        ['/variables', 'Variables'],
        ['/apikey', 'API keys'],
        ['/unauthorized', 'You have no access to this'],
        ['/no-such-page', 'Page not found'],
      ] as const) {
        await test.step(path, async () => {
          await page.goto(path)
          await expect(heading(page, title)).toBeVisible()
          await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
          await expectAccessible(page)
        })
      }
    })

    test('triggers, with deliveries', async ({ page, api }) => {
      const flow = await api.createFlow('Accessible trigger', await draw(api, [start(), reply('Hello')]))
      const webhook = { kind: 'webhook', signature: 'github', input: { mode: 'payload' } }
      const { id } = await api.post<{ id: string }>('/triggers', { flowId: flow.id, name: 'Pushes', settings: webhook })
      await api.post(`/triggers/${id}/run`, {})
      await page.goto('/triggers')
      await expect(page.getByRole('row', { name: /Pushes/ }).first()).toContainText('Succeeded')
      await expectAccessible(page)
      await page.goto(`/triggers/${id}`)
      await page
        .getByRole('region', { name: 'Deliveries' })
        .getByRole('button', { name: /Succeeded/ })
        .click()
      await expect(page.getByLabel('Response', { exact: true })).toContainText('Hello')
      await page.getByText('Try it from a terminal').click()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Replay' }).click()
      await expect(page.getByRole('textbox', { name: 'What it gets' })).toBeVisible()
      await expectAccessible(page)
      await page.goto('/triggers')
      await page.getByRole('button', { name: 'New trigger' }).click()
      await expect(page.getByRole('status', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(5)
      await expectAccessible(page)
      await page.getByLabel('Started by').selectOption('webhook')
      await page.getByText('Checks').click()
      await page.getByText('Refuse requests of another shape').click()
      await page.getByRole('button', { name: 'Add to body' }).click()
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByRole('heading', { name: 'Please check' })).toBeVisible()
      await expectAccessible(page)
    })

    test('dialogs and menus', async ({ page }) => {
      for (const [path, button] of [
        ['/credentials', 'New credential'],
        ['/variables', 'New variable'],
        ['/apikey', 'New API key'],
      ] as const) {
        await test.step(path, async () => {
          await page.goto(path)
          await page.getByRole('button', { name: button }).first().click()
          await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toBeVisible()
          await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
          await expect(page.getByRole('heading', { name: 'Please check' })).toBeVisible()
          await expectAccessible(page)
        })
      }
      await page.goto('/app')
      await page.getByRole('button', { name: 'Switch app' }).click()
      await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Your account' }).click()
      await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
      await expectAccessible(page, '[role=menu]')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
      await expectAccessible(page)
    })

    test('canvas, settings, chat and execution', async ({ page, api }) => {
      const parts = [start(), practice(), reply('Said: {{ llmAgentflow_0 }}'), { name: 'stickyNoteAgentflow' }]
      const { id } = await api.createFlow(
        'Accessible canvas',
        await draw(
          api,
          [...parts],
          [
            [0, 1],
            [1, 2],
          ],
        ),
      )
      await openCanvas(page, id)
      await expectAccessible(page)
      await openChat(page)
      await ask(page, 'Hello')
      await expect(messages(page)).toContainText('3 steps')
      await nodeOf(page, 'Practice').click()
      await expectAccessible(page)
      await page.getByRole('tab', { name: 'Last run' }).click()
      await expect(page.getByRole('tabpanel')).toContainText('Answer')
      await expectAccessible(page)
      await page.getByRole('button', { name: /^Checklist/ }).click()
      await expectAccessible(page)
      await surface(page).click({ position: { x: 40, y: 40 } })
      await page.keyboard.press('o')
      await expect(page.getByRole('list', { name: /^Nodes in the order/ })).toBeVisible()
      await expectAccessible(page)

      await page.goto('/executions?agentflowName=Accessible+canvas')
      await page.getByRole('link', { name: 'Accessible canvas' }).first().click()
      await expect(heading(page, 'Accessible canvas')).toBeVisible()
      await expectAccessible(page)
      await page.getByText('Anyone with the link can see it').click()
      await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
      await page.goto(page.url().replace('/executions/', '/execution/'))
      await expect(heading(page, 'Accessible canvas')).toBeVisible()
      await expectAccessible(page)
    })

    test('for strangers', async ({ page, context }) => {
      await context.clearCookies()
      await page.addInitScript(() => localStorage.removeItem('isAuthenticated'))
      for (const [path, title] of [
        ['/signin', 'Sign in'],
        ['/register', 'Sign in instead'],
        ['/setup', 'Sign in instead'],
      ] as const) {
        await page.goto(path)
        await expect(heading(page, title)).toBeVisible()
        await expectAccessible(page)
      }
    })
  })
}
