import { expect, test } from '../support/test.ts'

test('the menu stays in view on a page longer than the window', async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 300 })
  await page.goto('/app')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(menu.getByRole('link').first()).toBeVisible()
  const before = await menu.boundingBox()
  await page.mouse.move(900, 200)
  await page.mouse.wheel(0, 4000)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
  expect(await menu.boundingBox()).toEqual(before)
})
