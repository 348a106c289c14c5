/** Roles: made by an admin, given to a member, and kept while somebody has them. */
import type { Page } from '@playwright/test'
import type { SessionUser } from '#contract/account/account.ts'
import { account } from '../support/account.ts'
import { member, test } from '../support/cloud-server.ts'
import { signIn, enterpriseTest as testOnEnterprise } from '../support/organization.ts'
import { expect, expectAccessible, toast } from '../support/test.ts'

// Each begins with the start of a product of its own.
test.slow()

const roleRow = (page: Page, name: string) => page.getByRole('table', { name: 'Roles' }).getByRole('row', { name })
const editor = (page: Page, name = 'New role') => page.getByRole('dialog', { name })
const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' })

async function act(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('an admin makes a role and gives it to a member, who sees only what it gives', async ({
  page,
  browser,
  product,
}) => {
  await signIn(page, product, account)
  await page.goto('/account?tab=roles')
  await expect(roleRow(page, 'Viewer')).toContainText('Built in')
  await page.getByRole('button', { name: 'New role' }).click()
  await expect(editor(page).getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(editor(page)).toContainText('Enter a name.')
  await page.keyboard.type('Toolsmith')
  await editor(page).getByLabel('Description').fill('Looks after tools')
  await editor(page).getByRole('checkbox', { name: 'Tools', exact: true }).focus()
  await page.keyboard.press('Space')
  await expect(editor(page).getByRole('checkbox', { name: 'Tools: Delete' })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Role created')).toBeVisible()
  await expect(roleRow(page, 'Toolsmith')).toContainText('Looks after tools')

  const { activeWorkspaceId } = await product.asOwner<SessionUser>('GET', '/auth/me')
  await page.goto(`/workspace-users/${activeWorkspaceId}`)
  await act(page, member.name, 'Change role')
  await page.getByLabel('Role', { exact: true }).selectOption('Toolsmith')
  await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
  await expect(page.getByRole('row', { name: member.name })).toContainText('Toolsmith')

  const theirs = await (await browser.newContext({ baseURL: product.url })).newPage()
  await signIn(theirs, product, member)
  await expect(menu(theirs).getByRole('link')).toHaveText(['Tools', 'Triggers', 'Account'])
  await theirs.goto('/account?tab=roles')
  await expect(theirs.getByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true')
  await expect(theirs.getByRole('tab', { name: 'Roles' })).toHaveCount(0)
  await theirs.goto('/roles')
  await expect(theirs).toHaveURL('/app')
  await theirs.context().close()

  await page.goto('/account?tab=roles')
  await act(page, 'Toolsmith', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, new RegExp(`This role is used by ${member.name}`))).toBeVisible()
  await expect(roleRow(page, 'Toolsmith')).toBeVisible()
})

test('a copy of a built-in role is changed and deleted', async ({ page, product }) => {
  await signIn(page, product, account)
  await page.goto('/account?tab=roles')
  await act(page, 'Viewer', 'Show permissions')
  const shown = page.getByRole('dialog', { name: 'Viewer' })
  await expect(shown.getByRole('term').first()).toHaveText('Chatflows')
  await expect(shown).not.toContainText('Credentials')
  await expectAccessible(page, '[role=dialog]')
  await shown.getByRole('button', { name: 'Done' }).click()

  await act(page, 'Viewer', 'Duplicate')
  await expect(editor(page).getByLabel('Name')).toHaveValue('Viewer (copy)')
  await expect(editor(page).getByRole('checkbox', { name: 'Tools: View' })).toBeChecked()
  await expect(editor(page).getByRole('checkbox', { name: 'Credentials: View' })).not.toBeChecked()
  await editor(page).getByRole('button', { name: 'Create' }).click()
  await act(page, 'Viewer (copy)', 'Edit')
  await editor(page, 'Edit role').getByLabel('Name').fill('Editor')
  await page.keyboard.press('Enter')
  await expect(editor(page, 'Edit role')).toContainText('Another role has this name')
  await editor(page, 'Edit role').getByLabel('Name').fill('Reader')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Role saved')).toBeVisible()
  await act(page, 'Reader', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Deleted “Reader”')).toBeVisible()
  await expect(roleRow(page, 'Reader')).toHaveCount(0)
})

test('a member who manages roles gives only permissions of their own', async ({ page, product }) => {
  await product.allow('roles:manage', 'users:manage', 'tools:view')
  await signIn(page, product, member)
  await page.goto('/account?tab=roles')
  await page.getByRole('button', { name: 'New role' }).click()
  const tick = (name: string) => editor(page).getByRole('checkbox', { name, exact: true })
  await expect(tick('Tools: View')).toBeEnabled()
  await expect(tick('Tools: Delete')).toBeDisabled()
  await expect(tick('Credentials')).toBeDisabled()
  await expect(editor(page)).toContainText('A role can give only permissions that you have yourself.')
  await tick('Tools').focus()
  await page.keyboard.press('Space')
  await expect(tick('Tools: View')).toBeChecked()
  await expect(tick('Tools: Delete')).not.toBeChecked()
  await editor(page).getByLabel('Name').fill('Looker')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Role created')).toBeVisible()
  await act(page, 'Looker', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Deleted “Looker”')).toBeVisible()
})

testOnEnterprise('the platform admin has roles on a page, on a phone and in the dark too', async ({ page }) => {
  await menu(page).getByRole('link', { name: 'Roles' }).click()
  await expect(page.getByRole('heading', { name: 'Roles', level: 1 })).toBeVisible()
  await expect(roleRow(page, 'Workspace Admin')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(() => document.documentElement.classList.add('dark'))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New role' }).click()
  await editor(page).getByLabel('For').selectOption('Organization')
  await expect(editor(page).getByRole('checkbox', { name: 'Users: Manage' })).toBeVisible()
  await expect(editor(page).getByRole('checkbox', { name: 'Tools: View' })).toHaveCount(0)
  await expectAccessible(page, '[role=dialog]')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a member leaves the organization by themselves, and its last admin cannot', async ({ page, product }) => {
  await product.allow('tools:view')
  await signIn(page, product, member)
  await page.goto('/account')
  const leave = page.getByRole('region', { name: 'Leave' })
  await leave.getByRole('button', { name: 'Leave the organization' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/signin/)
  await signIn(page, product, account)
  await page.goto('/account')
  await expect(leave.getByRole('button')).toHaveText(['Leave the organization'])
  await leave.getByRole('button', { name: 'Leave the organization' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(toast(page, /This is the last active admin/)).toBeVisible()
})
