/** The canvas and its chat as a person finds them. */
import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

export const surface = (page: Page) => page.getByRole('region', { name: 'Canvas' })
/** A node by its label. */
export const nodeOf = (page: Page, label: string) => surface(page).getByRole('group', { name: `${label}, ` })
export const nodes = (page: Page) => surface(page).locator('.react-flow__node')
export const edges = (page: Page) => surface(page).locator('.react-flow__edge')
export const outputOf = (page: Page, label: string, index = 0) =>
  nodeOf(page, label).locator('.react-flow__handle.source').nth(index)
export const inputOf = (page: Page, label: string) => nodeOf(page, label).locator('.react-flow__handle.target')
export const settings = (page: Page, label: string) => page.getByRole('region', { name: `Settings of ${label}` })
export const flowName = (page: Page) => page.getByRole('textbox', { name: 'Name of the flow' })

export async function openCanvas(page: Page, flowId?: string): Promise<void> {
  await page.goto(flowId ? `/v2/agentcanvas/${flowId}` : '/v2/agentcanvas')
  await expect(nodes(page).first()).toBeVisible()
}

export async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
}

export async function expectSaved(page: Page): Promise<void> {
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
}

/** Presses Tab until the element has the focus: what cannot be reached so is not there for the keyboard. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(wanted).toBeFocused()
}

/** The address of the saved flow that is open. */
export function flowIdOf(page: Page): string {
  return /\/v2\/agentcanvas\/([\w-]+)$/.exec(page.url())?.[1] ?? ''
}

export const chat = (page: Page) => page.getByRole('region', { name: 'Chat', exact: true })
export const messages = (page: Page) => chat(page).getByRole('log', { name: 'Messages' })

export async function openChat(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Chat', exact: true }).click()
  await expect(chat(page)).toBeVisible()
}

export async function ask(page: Page, question: string): Promise<void> {
  const box = chat(page).getByRole('textbox', { name: 'Question' })
  await box.fill(question)
  await box.press('Enter')
}
