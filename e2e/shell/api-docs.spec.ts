import { expect, expectAccessible, expectStatus, test } from '../support/test.ts'

test.describe('a visitor', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  for (const mode of ['light', 'dark']) {
    test(`reads the API in ${mode}, finds a call, and copies its command`, async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.addInitScript((isDark) => localStorage.setItem('isDarkMode', String(isDark)), mode === 'dark')
      await page.goto('/docs/api')
      await expect(page.getByRole('heading', { name: 'API reference', level: 1 })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Predictions', level: 2 })).toBeVisible()
      await expectAccessible(page)

      await page.getByRole('searchbox', { name: 'Search endpoints' }).fill('post variables')
      await expectStatus(page, '1 endpoint')
      await page.getByText('Create a variable').click()
      await expect(page.getByText('variables:create')).toBeVisible()
      await expect(page).toHaveURL(/#postVariables$/)
      await page.getByText('Fields of Variable').click()
      await expectAccessible(page)

      await page.getByRole('button', { name: 'Copy: Command for POST /variables' }).click()
      const command = await page.evaluate(() => navigator.clipboard.readText())
      expect(command).toContain(`curl -X POST '${new URL(page.url()).origin}/api/v1/variables'`)
      expect(command).toContain('Authorization: Bearer')
    })
  }

  test('comes by a link to one call, and opens calls by keyboard', async ({ page }) => {
    await page.goto('/docs/api#getVariables')
    await expect(page.getByText('variables:view')).toBeVisible()
    await expect(page.locator('#getVariables')).toBeInViewport()
    await page.locator('#postVariables > summary').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('variables:create').first()).toBeVisible()
    await expect(page).toHaveURL(/#postVariables$/)
  })
})

test('API keys lead to the description of the API', async ({ page }) => {
  await page.goto('/apikey')
  await page.getByRole('link', { name: 'API reference' }).click()
  await expect(page.getByRole('heading', { name: 'API reference', level: 1 })).toBeVisible()
})
