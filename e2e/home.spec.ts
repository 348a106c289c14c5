import type { Page } from '@playwright/test'
import { ask, asked, chat } from './support/canvas.ts'
import { draw, drawApproval, reply, start } from './support/draw.ts'
import { expect, test } from './support/test.ts'

const region = (page: Page, name: string) => page.getByRole('region', { name })

test('the home page shows recent flows with their last run, and what needs attention', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Asks first', await drawApproval(api, model.baseUrl))
  await api.post(`/internal-prediction/${id}`, { question: 'A headline for home' })
  await api.createFlow('Never run yet', await draw(api, [start(), reply('Hello')]))
  await page.goto('/app')
  const recent = region(page, 'Recent flows')
  await expect(recent.getByRole('link', { name: 'Never run yet' })).toBeVisible()
  const card = recent.locator('.chakra-card__root').filter({ hasText: 'Asks first' })
  await expect(card).toContainText('Waiting for approval')
  await expect(card.locator('svg rect')).toHaveCount(5)
  await expect(card.locator('svg path')).toHaveCount(4)

  const waiting = region(page, 'Needs your attention').getByRole('listitem').filter({ hasText: 'A headline for home' })
  await waiting.getByRole('link', { name: 'Editor in Asks first needs your approval' }).click()
  await expect(page.getByRole('group', { name: 'Editor needs your approval' }).first()).toBeVisible()

  await page.route('**/api/v1/home', (route) => route.fulfill({ status: 500, json: { message: 'Out of yarn' } }))
  await page.goto('/app')
  await expect(page.getByText('Couldn’t load your flows')).toBeVisible()
  await page.unroute('**/api/v1/home')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(recent).toBeVisible()
})

test('the home page offers templates, which run at once', async ({ page }) => {
  await page.route('**/api/v1/home', (route) => route.fulfill({ json: { flows: [], waiting: [], failing: [] } }))
  await page.goto('/app')
  const templates = region(page, 'Start from a template')
  await expect(templates.getByRole('link')).toHaveCount(4)
  await templates.getByRole('link', { name: 'All templates' }).click()
  await page.getByRole('link', { name: 'Approval before sending' }).click()
  await page.getByRole('button', { name: 'Use template' }).click()
  await expect(chat(page)).toBeVisible()
  await ask(page, 'Write to a customer whose parcel is late.')
  await expect(asked(page, 'Review')).toContainText('Send this message?')
})
