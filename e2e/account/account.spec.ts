import { account } from '../support/account.ts'
import { enterpriseTest } from '../support/organization.ts'
import { expect, expectAccessible, test, toast } from '../support/test.ts'

test('a person changes their name, and the menu leads there', async ({ page }) => {
  await page.goto('/app')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Update Profile' }).click()
  await expect(page).toHaveURL('/user-profile')
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await page.getByLabel('Name').fill('')
  await page.getByLabel('Name').press('Enter')
  await expect(page.getByText('Enter your name.').first()).toBeVisible()
  await page.getByLabel('Name').fill('Ada W.')
  await page.getByLabel('Name').press('Enter')
  await expect(toast(page, 'Profile saved')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByRole('menu').getByText('Ada W.')).toBeVisible()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page).toHaveURL('/account')
  await expect(page.getByRole('tab', { name: 'Profile', selected: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Name').fill(account.name)
  await page.getByLabel('Name').press('Enter')
  await expect(toast(page, 'Profile saved')).toBeVisible()
})

enterpriseTest('an enterprise product begins with an account on /setup', async ({ page }) => {
  await page.goto('/account?tab=nothing')
  await expect(page.getByRole('tab', { name: 'Profile', selected: true })).toBeVisible()
})
