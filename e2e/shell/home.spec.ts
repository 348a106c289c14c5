import type { Page } from '@playwright/test'
import { approvalRequest, ask, chat } from '../support/canvas.ts'
import { draw, drawApproval, reply, start } from '../support/draw.ts'
import { boxOf, contains, overlap } from '../support/layout/boxes.ts'
import { fullHome } from '../support/layout/full-home.ts'
import { expect, test } from '../support/test.ts'

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
  await expect(approvalRequest(page, 'Review')).toContainText('Send this message?')
})

for (const width of [390, 768, 1024])
  test(`at ${width} pixels the parts of a flow’s card stay in it and apart`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.route('**/api/v1/home', (route) => route.fulfill({ json: fullHome }))
    await page.goto('/app')
    const cards = region(page, 'Recent flows').locator('.chakra-card__root')
    await expect(cards).toHaveCount(fullHome.flows.length)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    for (const card of await cards.all()) {
      const name = card.getByRole('link')
      const frame = await boxOf(card)
      const parts = [card.locator('svg'), name, card.locator('time').locator('..')]
      if (await card.locator('.chakra-badge').count()) parts.push(card.locator('.chakra-badge'))
      const boxes = await Promise.all(parts.map(boxOf))
      for (const [at, box] of boxes.entries()) {
        expect(contains(frame, box)).toBe(true)
        for (const other of boxes.slice(at + 1)) expect(overlap(box, other)).toBe(false)
      }
      expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
    }
  })
