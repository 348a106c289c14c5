/** No dialog of an asset breaks a rule of axe: in light and in dark, on a desktop and on a phone. */
import type { Page } from '@playwright/test'
import { draw, reply, start } from '../support/draw.ts'
import { jsonFile } from '../support/files.ts'
import { expect, expectAccessibleInBothModes, test } from '../support/test.ts'

const DESKTOP = { width: 1400, height: 900 }

const dialog = (page: Page) => page.getByRole('dialog')

const expectAccessibleOnAny = (page: Page) => expectAccessibleInBothModes(page, ['phone', 'desktop'])

async function chooseOfAccount(page: Page, item: 'Export' | 'Import'): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test.beforeEach(({ page }) => page.setViewportSize(DESKTOP))

test('a tool that was tried, and one that failed', async ({ page }) => {
  await page.goto('/tools')
  await page.getByRole('button', { name: 'New tool' }).first().click()
  await dialog(page).getByRole('button', { name: 'Add parameter' }).click()
  const code = dialog(page).getByRole('textbox', { name: 'JavaScript function' })
  const result = dialog(page).getByRole('region', { name: 'Test' })
  await code.fill('return 1')
  await dialog(page).getByRole('button', { name: 'Run' }).click()
  await expect(result.getByRole('alert')).toHaveText('Every parameter needs a name.')
  await dialog(page).getByLabel('Name of parameter 1').fill('skeins')
  for (const [text, answer] of [
    ['console.log("counted"); return 1 + 1', 'counted'],
    ['throw new Error("Out of yarn")', 'Out of yarn'],
  ] as const) {
    await code.fill(text)
    await dialog(page).getByRole('button', { name: 'Run' }).click()
    await expect(result).toContainText(answer)
    await expectAccessibleOnAny(page)
  }
})

test('an MCP server without an address', async ({ page }) => {
  await page.goto('/tools?tab=mcp')
  await page.getByRole('button', { name: 'New MCP server' }).first().click()
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(dialog(page).locator('[aria-invalid=true]').first()).toBeFocused()
  await expectAccessibleOnAny(page)
})

test('an API key that is shown once', async ({ page, api }) => {
  await page.goto('/apikey')
  await page.getByRole('button', { name: 'New API key' }).first().click()
  await dialog(page).getByLabel('Name').fill('Shown by axe')
  await dialog(page).getByRole('button', { name: 'Custom' }).click()
  await expectAccessibleOnAny(page)
  await dialog(page).getByRole('button', { name: 'Create' }).click()
  await expect(dialog(page).getByRole('textbox', { name: 'API key' })).toBeVisible()
  await expectAccessibleOnAny(page)
  const keys = await api.get<{ id: string; keyName: string }[]>('/apikey')
  for (const { id, keyName } of keys) if (keyName === 'Shown by axe') await api.delete(`/apikey/${id}`)
})

test('an asset that is in use and shall be deleted', async ({ page, api }) => {
  const { id } = await api.post<{ id: string }>('/variables', { name: 'used_by_axe', type: 'static', value: '1' })
  await api.createFlow('Uses it for axe', await draw(api, [start(), reply('{{ $vars.used_by_axe }}')]))
  await page.goto('/variables')
  await page.getByRole('button', { name: 'Actions for used_by_axe' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await expectAccessibleInBothModes(page)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Uses it for axe')
  await expectAccessibleOnAny(page)
  await api.delete(`/variables/${id}`)
})

test('a workspace that leaves, and a file that comes', async ({ page }) => {
  await page.goto('/agentflows')
  await chooseOfAccount(page, 'Export')
  await expect(dialog(page).getByRole('checkbox').first()).toBeVisible()
  await expectAccessibleOnAny(page)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await chooseOfAccount(page, 'Import')
  await dialog(page)
    .getByLabel('File to import')
    .setInputFiles(jsonFile('ExportData.json', { Tool: [{ name: 'Weather' }] }))
  await expect(dialog(page)).toContainText('Custom tools: 1')
  await expectAccessibleOnAny(page)
})
