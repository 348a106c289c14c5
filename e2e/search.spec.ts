import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const field = (page: Page) => page.getByPlaceholder('Search for anything...')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const results = (page: Page) => dialog(page).getByRole('option')
const chosen = (page: Page) => dialog(page).getByRole('option', { selected: true })

test.beforeEach(async ({ page }) => {
  await page.goto('/app')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('opens by Ctrl+K and by Cmd+K, closes by Escape, says how to use it', async ({ page }) => {
  for (const keys of ['Control+k', 'Meta+k']) {
    await page.keyboard.press(keys)
    await expect(field(page)).toBeFocused()
    await expect(dialog(page)).toContainText('Use ↑↓ to navigate, Enter to select, Esc to close')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
  }
})

test('finds by title and by description, whatever the case, and shows the route', async ({ page }) => {
  await page.keyboard.press('Control+k')
  await expect(results(page).first()).toBeVisible()
  const count = await results(page).count()
  expect(count).toBeGreaterThan(3)
  expect(count).toBeLessThanOrEqual(8)

  await page.keyboard.type('cReDenT')
  await expect(results(page)).toHaveCount(1)
  await expect(results(page)).toContainText('/credentials')

  await field(page).fill('COST OF EVERY')
  await expect(results(page)).toHaveCount(1)
  await expect(results(page)).toContainText('/executions')

  await field(page).fill('loom of doom')
  await expect(dialog(page)).toContainText('No results found for loom of doom')
  await expect(results(page)).toHaveCount(0)
})

test('arrows move the selection, Enter opens it', async ({ page }) => {
  await page.keyboard.press('Control+k')
  await expect(chosen(page)).toHaveCount(1)
  const titles = await results(page).allTextContents()
  await expect(chosen(page)).toHaveText(titles[0] as string)
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).toHaveText(titles[1] as string)
  await page.keyboard.press('ArrowUp')
  await expect(chosen(page)).toHaveText(titles[0] as string)
  await page.keyboard.type('variables')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/variables')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Variables', level: 1 })).toBeVisible()
})

test('opens from the top bar and on the canvas too', async ({ page }) => {
  await page.getByRole('button', { name: /^Search/ }).click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')

  await page.goto('/v2/agentcanvas')
  await expect(page.getByRole('region', { name: 'Canvas' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('api key')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/apikey')
})
