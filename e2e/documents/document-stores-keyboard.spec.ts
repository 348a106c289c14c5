/** Document stores without a mouse, from an empty list to an answer. */
import type { Page } from '@playwright/test'
import { tabTo } from '../support/canvas.ts'
import { expect, test } from '../support/test.ts'

const HOLIDAYS = 'Every weaver has thirty days of paid holiday a year.'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()

async function press(page: Page, target: ReturnType<typeof button>): Promise<void> {
  await expect(target).toBeEnabled()
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

test('a store is made, filled, corrected and searched by keyboard alone', async ({ page }) => {
  await page.goto('/document-stores')
  await press(page, button(page, 'New document store'))
  await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'By keyboard', level: 1 })).toBeVisible()

  await press(page, button(page, 'Add loader'))
  await expect(page.getByRole('searchbox', { name: 'Search loaders' })).toBeFocused()
  await page.keyboard.type('plain text')
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel(/^Text\b/).first())
  await page.keyboard.type(HOLIDAYS)
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('thirty days')
  await press(page, button(page, 'Save and process'))
  await expect(page.getByText('Ready', { exact: true }).first()).toBeVisible()

  await press(page, link(page, /^1 chunk/))
  await press(page, button(page, /^Chunk 1 of/))
  const text = page.getByRole('dialog').getByLabel('Text', { exact: true })
  await tabTo(page, text)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Every weaver has forty days of holiday.')
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Save' }))
  await expect(page.getByText('Edited', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(button(page, /^Chunk 1 of/)).toBeFocused()

  await press(page, link(page, /By keyboard/))
  await press(page, link(page, 'Query'))
  await tabTo(page, page.getByRole('textbox', { name: 'Query' }))
  await page.keyboard.type('holiday')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('region', { name: 'Keyword' }).getByRole('listitem')).toContainText('forty days')
})
