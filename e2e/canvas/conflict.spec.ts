import type { Page } from '@playwright/test'
import { expectSaved, flowIdOf, flowName, openCanvas } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { expect, test } from '../support/test.ts'

const conflict = (page: Page) => page.getByRole('alertdialog', { name: 'Someone saved a newer version' })

test.beforeEach(async ({ page, context, api }) => {
  const { id } = await api.createFlow('Shared', await draw(api, [start(), reply('Hello')]))
  await openCanvas(page, id)

  const other = await context.newPage()
  await openCanvas(other, id)
  await flowName(other).fill('Theirs')
  await other.keyboard.press('Control+s')
  await expectSaved(other)
  await other.close()

  await flowName(page).fill('Mine')
  await page.keyboard.press('Control+s')
  await expect(conflict(page)).toBeVisible()
  await expect((await api.get<{ name: string }>(`/chatflows/${id}`)).name).toBe('Theirs')
})

const storedName = async (page: Page, api: { get<T>(path: string): Promise<T> }) =>
  (await api.get<{ name: string }>(`/chatflows/${flowIdOf(page)}`)).name

test('keeping on editing loses nothing and asks again', async ({ page, api }) => {
  await conflict(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(flowName(page)).toHaveValue('Mine')
  expect(await storedName(page, api)).toBe('Theirs')
  await page.keyboard.press('Control+s')
  await expect(conflict(page)).toBeVisible()
})

test('a conflict offers to load the other person’s version', async ({ page, api }) => {
  await conflict(page).getByRole('button', { name: 'Discard my changes and load theirs' }).click()
  await expect(flowName(page)).toHaveValue('Theirs')
  await expectSaved(page)
  expect(await storedName(page, api)).toBe('Theirs')
})

test('mine can be saved as a copy', async ({ page, api }) => {
  const original = flowIdOf(page)
  await conflict(page).getByRole('button', { name: 'Save my version as a copy' }).click()
  await expect(flowName(page)).toHaveValue('Mine (copy)')
  expect(flowIdOf(page)).not.toBe(original)
  expect((await api.get<{ name: string }>(`/chatflows/${original}`)).name).toBe('Theirs')
  expect(await storedName(page, api)).toBe('Mine (copy)')
})

test('a conflict offers to overwrite the other person’s version', async ({ page, api }) => {
  await conflict(page).getByRole('button', { name: 'Overwrite their version' }).click()
  await expectSaved(page)
  await expect(flowName(page)).toHaveValue('Mine')
  expect(await storedName(page, api)).toBe('Mine')
})
