import { devices, type Page } from '@playwright/test'
import { draw, practice, reply, start } from '../support/draw.ts'
import { expect, test } from '../support/test.ts'

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test('dark mode is kept, on every page, before anything is drawn', async ({ page }) => {
  await page.goto('/app')
  const toggle = page.getByRole('switch', { name: 'Dark mode' })
  // The colours come with the first drawing.
  await expect(toggle).toBeVisible()
  const light = await background(page)
  await toggle.click()
  await expect(page.locator('html')).toHaveClass(/dark/)
  await expect(page.locator('html')).not.toHaveCSS('background-color', light)
  expect(await page.evaluate(() => localStorage.isDarkMode)).toBe('true')

  await page.goto('/v2/agentcanvas', { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveClass(/dark/)
  await expect(page.getByRole('region', { name: 'Canvas' })).toBeVisible()
  await page.goto('/signin')
  await toggle.click()
  await expect(page.locator('html')).toHaveClass(/light/)
  await expect(page.locator('html')).toHaveCSS('background-color', light)
})

test('the menu stands at the side or across the top, and stays there', async ({ page }) => {
  await page.goto('/app')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  const isWide = async () => ((await menu.boundingBox())?.width ?? 0) > 600
  expect(await isWide()).toBe(false)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Top navigation' }).click()
  await expect.poll(isWide).toBe(true)
  await page.reload()
  await expect(menu).toBeVisible()
  expect(await isWide()).toBe(true)
})

test('the app switcher shows what can be opened', async ({ page }) => {
  await page.goto('/app')
  await page.getByRole('button', { name: 'Switch app' }).click()
  const switcher = page.getByRole('dialog', { name: 'Switch app' })
  await expect(switcher.getByRole('link')).toHaveCount(14)
  await expect(switcher.getByRole('link', { name: /Triggers/ }).locator('.tabler-icon-bolt')).toBeVisible()
  await switcher.getByRole('link', { name: /Executions/ }).click()
  await expect(page).toHaveURL('/executions')
  await expect(switcher).toBeHidden()
})

test('the top bar has a section for each framework that can be opened', async ({ page }) => {
  await page.goto('/app')
  const sections = page.getByRole('navigation', { name: 'Agent frameworks' })
  await expect(sections.getByRole('link')).toHaveText(['Langflow'])
  await expect(sections.getByRole('button')).toHaveCount(0)
  await page.setViewportSize({ width: 800, height: 900 })
  await sections.getByRole('link', { name: 'Langflow' }).click()
  await expect(page).toHaveURL('/agentflows')
})

test('main items have no heading in the menu', async ({ page }) => {
  await page.goto('/app')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(menu.getByRole('link')).toHaveText([
    'Langflow',
    'Chatflows',
    'Executions',
    'Marketplace',
    'Tools',
    'Triggers',
    'Assistants',
    'Credentials',
    'Variables',
    'Document stores',
    'API keys',
    'Administration',
    'Files',
    'Account',
  ])
  await expect(menu).not.toContainText('Main')
})

test.describe('on a phone', () => {
  const { viewport, isMobile, hasTouch } = devices['iPhone 13']
  test.use({ viewport, isMobile, hasTouch })

  const isTooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)

  test('the main areas are under the thumb, the rest in More', async ({ page }) => {
    await page.goto('/app')
    const bottom = page.getByRole('navigation', { name: 'Main areas' })
    await bottom.getByRole('link', { name: 'Executions' }).tap()
    await expect(page).toHaveURL('/executions')
    await expect(page.getByRole('navigation', { name: 'Menu' })).toBeHidden()
    await bottom.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Credentials' }).tap()
    await expect(page).toHaveURL('/credentials')
    await bottom.getByRole('link', { name: 'Agentflows' }).tap()
    await expect(page).toHaveURL('/agentflows')
  })

  test('no page scrolls sideways', async ({ page, api }) => {
    const name = 'A flow with quite a long name that has to break somewhere on a narrow screen'
    const { id } = await api.createFlow(name, await draw(api, [start(), practice(), reply('{{ question }}')]))
    await api.post(`/prediction/${id}`, { question: 'Hello' })
    const paths = ['/app', '/agentflows', '/executions', '/credentials', '/variables', '/apikey', '/signin']
    for (const path of [...paths, `/v2/agentcanvas/${id}`]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
      expect(await isTooWide(page), path).toBe(false)
    }
  })

  test('everything in the head of the canvas can be reached', async ({ page, api }) => {
    const { id } = await api.createFlow('A name too long for a phone', await draw(api, [start(), reply('Hi')]))
    await page.goto(`/v2/agentcanvas/${id}`)
    const buttons = page.locator('header').getByRole('button')
    await expect(buttons.filter({ visible: true }).last()).toHaveAccessibleName('More')
    for (const button of await buttons.filter({ visible: true }).all()) {
      await expect(button).toBeInViewport({ ratio: 1 })
    }
    await buttons.filter({ visible: true }).last().tap()
    for (const item of ['Describe what you want', 'Save with a note', 'Versions', 'Run limits', 'Share', 'Publish']) {
      await expect(page.getByRole('menuitem', { name: item })).toBeInViewport({ ratio: 1 })
    }
  })
})
