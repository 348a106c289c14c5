/** The canvas and its chat as a person finds them. */
import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

export const surface = (page: Page) => page.getByRole('region', { name: 'Canvas' })
/** A node by its label. */
export const nodeOf = (page: Page, label: string) => nodes(page).and(page.getByRole('group', { name: `${label}, ` }))
export const nodes = (page: Page) => surface(page).locator('.react-flow__node')
export const edges = (page: Page) => surface(page).locator('.react-flow__edge')
export const outputOf = (page: Page, label: string, index = 0) =>
  nodeOf(page, label).locator('.react-flow__handle.source').nth(index)
export const inputOf = (page: Page, label: string) => nodeOf(page, label).locator('.react-flow__handle.target')
export const settings = (page: Page, label: string) => page.getByRole('region', { name: `Settings of ${label}` })
export const flowName = (page: Page) => page.getByRole('textbox', { name: 'Flow name' })

/** Drags a node type from the palette onto the canvas: pixels from its corner. */
export async function dragIn(page: Page, type: string, [x, y]: [x: number, y: number]): Promise<void> {
  const palette = page.getByRole('region', { name: 'Nodes' })
  const before = await nodes(page).count()
  await palette
    .getByRole('button', { name: new RegExp(`^${type}`) })
    .dragTo(surface(page), { targetPosition: { x, y } })
  await expect(nodes(page)).toHaveCount(before + 1)
}

/** Draws a line from one of a node's outputs to another node's input. */
export async function join(page: Page, from: string, to: string, output = 0): Promise<void> {
  const before = await edges(page).count()
  await outputOf(page, from, output).dragTo(inputOf(page, to))
  await expect(edges(page)).toHaveCount(before + 1)
}

/** Draws a box with Shift from above the first node to below the last one, which selects what it touches. */
export async function drawBox(page: Page, first: string, last: string): Promise<void> {
  const from = await nodeOf(page, first).boundingBox()
  const to = await nodeOf(page, last).boundingBox()
  if (!from || !to) throw new Error(`${first} or ${last} is not on screen`)
  await page.keyboard.down('Shift')
  await page.mouse.move(from.x - 10, from.y - 30)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height + 30, { steps: 8 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
}

/** Opens a node's settings and gives it another name. */
export async function openSettings(page: Page, label: string, name = label): Promise<Locator> {
  await nodeOf(page, label).click()
  await settings(page, label).getByRole('textbox', { name: 'Node name' }).fill(name)
  return settings(page, name)
}

/** Chooses the scripted model server in the settings of an LLM. */
export async function chooseScripted(node: Locator, baseUrl: string): Promise<void> {
  await node.getByRole('combobox', { name: 'Model', exact: true }).selectOption({ label: OPENAI_COMPATIBLE })
  await node.getByRole('textbox', { name: 'Model name' }).fill('scripted')
  await node.getByRole('textbox', { name: 'Base path' }).fill(baseUrl)
}

const OPENAI_COMPATIBLE = 'OpenAI compatible (Ollama, vLLM, LM Studio...)'

export async function openCanvas(page: Page, flowId?: string): Promise<void> {
  await page.goto(flowId ? `/v2/agentcanvas/${flowId}` : '/v2/agentcanvas')
  await expect(nodes(page).first()).toBeVisible()
}

/** Opens a new flow with nothing but its Start node. */
export async function openBlankCanvas(page: Page): Promise<void> {
  await openCanvas(page)
  await nodeOf(page, 'Agent 0').press('Delete')
  await expect(nodes(page)).toHaveCount(1)
}

export async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
}

export async function expectSaved(page: Page): Promise<void> {
  await expect(page.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()
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

/** The panel beside the canvas with its tabs. */
export const dock = (page: Page) => page.getByRole('complementary', { name: 'Details' })
export const chat = (page: Page) => page.getByRole('region', { name: 'Chat', exact: true })
export const messages = (page: Page) => chat(page).getByRole('log', { name: 'Messages' })

/** Shows the chat in the dock, where it may be hidden behind another tab. */
export async function openChat(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Chat', exact: true })
  await expect(button).toBeVisible()
  if ((await button.getAttribute('aria-pressed')) === 'false') await button.click()
  await expect(chat(page)).toBeVisible()
}

/** Locates a node's request for approval in the chat. */
export const approvalRequest = (page: Page, label: string) =>
  messages(page).getByRole('group', { name: `${label} needs your approval` })

/** Sends a question as soon as no run is under way. */
export async function ask(page: Page, question: string): Promise<void> {
  await expect(chat(page).getByRole('button', { name: 'Send' })).toBeVisible()
  const box = chat(page).getByRole('textbox', { name: 'Question' })
  await box.fill(question)
  await box.press('Enter')
}
