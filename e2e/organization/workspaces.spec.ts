// @defends tab-works-workspace
import type { Page } from '@playwright/test'
import type { Workspace } from '#contract/organization/workspaces.ts'
import { apiOf } from '../support/api.ts'
import { enterpriseTest as test } from '../support/organization.ts'
import { expect, expectAccessible, toast } from '../support/test.ts'

async function openUserMenu(page: Page) {
  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
}

async function switchTo(page: Page, name: string) {
  await openUserMenu(page)
  await page.getByRole('menuitem', { name: 'Switch workspace' }).click()
  await page.getByRole('dialog', { name: 'Switch workspace' }).getByRole('button', { name }).click()
  await expect(page).toHaveURL(/\/app$/)
  await expect(page.getByRole('dialog')).toBeHidden()
}

test('a workspace is created, renamed, deleted by its name and restored', async ({ page }) => {
  await openUserMenu(page)
  await page.getByRole('menuitem', { name: 'Workspaces' }).click()
  await expect(page).toHaveURL(/\/workspaces$/)
  await expect(page.getByText('You are here')).toBeVisible()

  await page.getByRole('button', { name: 'New workspace' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a name.').first()).toBeVisible()
  await page.keyboard.type('Marketing')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Created “Marketing”')).toBeVisible()
  await expectAccessible(page)

  const row = page.getByRole('row', { name: /Marketing|Sales/ })
  await row.getByRole('button', { name: 'Actions for Marketing' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Sales')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect(toast(page, 'Workspace renamed')).toBeVisible()

  await row.getByRole('button', { name: 'Actions for Sales' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete “Sales”?' })
  await expect(dialog.getByLabel('Name of the workspace')).toBeFocused()
  await expectAccessible(page, '[role=dialog]')
  await page.keyboard.type('sales')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The name doesn’t match.')).toHaveCount(1)
  await dialog.getByLabel('Name of the workspace').fill('Sales')
  await page.keyboard.press('Enter')
  await expect(toast(page, /Deleted “Sales”/)).toBeVisible()
  await expect(row).toBeHidden()

  await expectAccessible(page)
  await page.getByRole('button', { name: 'Restore Sales' }).click()
  await expect(toast(page, 'Restored “Sales”')).toBeVisible()
  await expect(row).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Deleted' })).toBeHidden()
})

test('two tabs never show one workspace and work in another', async ({ page, context, product }) => {
  const api = apiOf(page, product.url)
  const second = await api.post<Workspace>('/workspaces', { name: 'Second' })
  await api.post('/variables', { name: 'first_only', value: 'v', type: 'static' })
  await page.goto('/app')
  await page.evaluate(() => localStorage.removeItem('user'))
  await page.reload()
  const other = await context.newPage()
  await other.goto(`${product.url}/variables`)
  await expect(other.getByText('first_only')).toBeVisible()
  await page.bringToFront()

  await switchTo(page, second.name)
  await page.goto('/variables')
  await expect(page.getByText('No variables yet')).toBeVisible()

  const asked = other.getByRole('alertdialog', { name: 'You are in “Second” now' })
  await expect(asked).toContainText('This tab still shows “Default Workspace”.')
  await expectAccessible(other, '[role=alertdialog]')
  await other.keyboard.press('Escape')
  await expect(asked).toBeVisible()
  await asked.getByRole('button', { name: 'Switch back' }).click()
  await expect(asked).toBeHidden()
  await expect(other.getByText('first_only')).toBeVisible()

  const askedHere = page.getByRole('alertdialog', { name: 'You are in “Default Workspace” now' })
  await askedHere.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/app$/)
  await page.goto('/variables')
  await expect(page.getByText('first_only')).toBeVisible()
  await expect(page.getByRole('alertdialog')).toBeHidden()
})

test('a canvas that was open while another tab switched is saved in its own workspace', async ({
  page,
  context,
  product,
}) => {
  const api = apiOf(page, product.url)
  const second = await api.post<Workspace>('/workspaces', { name: 'Second' })
  await page.goto('/v2/agentcanvas')
  await page.getByRole('textbox', { name: 'Flow name' }).fill('Woven in the first')
  // The session moves without a word to this tab.
  await api.post(`/workspaces/${second.id}/switch`, {})
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const asked = page.getByRole('alertdialog', { name: 'You are in “Second” now' })
  await expect(asked).toContainText('You’ll lose unsaved changes if you continue')
  await asked.getByRole('button', { name: 'Switch back' }).click()
  await expect(asked).toBeHidden()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/agentcanvas\/.+/)
  const flows = await api.get<{ name: string }[]>('/chatflows?type=AGENTFLOW')
  expect(flows.map(({ name }) => name)).toEqual(['Woven in the first'])
  expect(context.pages()).toHaveLength(1)
})

test('the people of a workspace are listed, on a phone and in the dark too', async ({ page, product }) => {
  const api = apiOf(page, product.url)
  const { id } = await api.post<Workspace>('/workspaces', { name: 'Looms' })
  await page.goto(`/workspace-users/${id}`)
  await expect(page.getByRole('heading', { name: 'People in Looms' })).toBeVisible()
  await expect(page.getByText('Organization Admin')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add a person' }).click()
  await expect(page.getByLabel('Role')).toBeVisible()
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Email').press('Enter')
  await expect(page.getByText(/Invite them first/).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(() => document.documentElement.classList.add('dark'))
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
