/** What gives lasting power asks who is there, and then goes on with what the person did. */
import type { Page } from '@playwright/test'
import { sessions } from '#db/schema/index.ts'
import { account } from '../support/account.ts'
import { type OrganizationProduct, enterpriseTest as test } from '../support/organization.ts'
import { expect, expectAccessible, toast } from '../support/test.ts'

// It begins with the start of a product of its own.
test.slow()

const proof = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it’s you' })

/** As if the person had been away for an hour. */
const comeBackLater = ({ database }: OrganizationProduct) => database.update(sessions).set({ confirmedDate: null })

async function prove(page: Page): Promise<void> {
  await proof(page).getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(proof(page)).toBeHidden()
}

test('a key, an invitation and a role ask who is there, and nothing that was entered is lost', async ({
  page,
  product,
}) => {
  await page.goto('/apikey')
  await page.getByRole('button', { name: 'New API key' }).first().click()
  const form = page.getByRole('dialog', { name: 'New API key' })
  await form.getByLabel('Name').fill('Website')
  await form.getByRole('button', { name: 'Read', exact: true }).click()
  await comeBackLater(product)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(proof(page).getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(form.getByLabel('Name')).toHaveValue('Website')
  await form.getByRole('button', { name: 'Create' }).click()
  await expectAccessible(page)
  await prove(page)
  await page.getByRole('dialog', { name: 'API key “Website”' }).getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: /Website/ })).toBeVisible()

  await comeBackLater(product)
  await page.goto('/account?tab=users')
  await page.getByRole('button', { name: 'Invite' }).click()
  const invitation = page.getByRole('dialog', { name: 'Invite a person' })
  await invitation.getByLabel('Email').fill('mia@example.com')
  await invitation.getByRole('combobox', { name: /^Role in/ }).selectOption({ label: 'Viewer' })
  await invitation.getByLabel('Email').press('Enter')
  await prove(page)
  const link = page.getByRole('dialog', { name: 'Invitation link' })
  await expect(link.getByLabel('Link', { exact: true })).toHaveValue(/\/invite#token=/)

  await comeBackLater(product)
  await page.goto('/account?tab=roles')
  await page.getByRole('button', { name: 'New role' }).click()
  const role = page.getByRole('dialog', { name: 'New role' })
  await role.getByLabel('Name').fill('Toolsmith')
  await role.getByRole('checkbox', { name: 'Tools', exact: true }).check({ force: true })
  await role.getByLabel('Name').press('Control+Enter')
  await prove(page)
  await expect(toast(page, 'Role created')).toBeVisible()
})
