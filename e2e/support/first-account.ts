import { expect, type Page } from '@playwright/test'

/** Makes the first account of a product on /setup; the page is signed in with it then. */
export async function makeFirstAccount(
  page: Page,
  person: { name: string; email: string; password: string },
): Promise<void> {
  await page.goto('/setup')
  await page.getByLabel('Name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL('/app')
}
