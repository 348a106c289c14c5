/** An execution's page as a person finds it. */
import type { Locator, Page } from '@playwright/test'

export const steps = (page: Page) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button')

/** The line with the run's state, time, tokens and cost. */
export const figures = (page: Page) => page.getByRole('heading', { level: 1 }).locator('..')

/** Shows one step; answers its details. */
export async function openStep(page: Page, label: string): Promise<Locator> {
  await steps(page).filter({ hasText: label }).first().click()
  return page.getByRole('region', { name: `Step ${label}` })
}
