import type { Page } from '@playwright/test'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Link } from '#contract/flow/document/draw.ts'
import type { Part } from '#contract/flow/kinds/types.ts'
import type { Api } from '../support/api.ts'
import {
  ask,
  dragIn,
  edges,
  expectSaved,
  messages,
  nodeOf,
  nodes,
  openChat,
  save,
  settings,
  surface,
} from '../support/canvas.ts'
import { drawChatflow } from '../support/draw.ts'
import { exportFromCanvas, jsonFile } from '../support/files.ts'
import { expect, expectAccessible, test, toast } from '../support/test.ts'

const conversation: Part[] = [
  { name: 'practiceModel', label: 'Model', at: [100, 100] },
  { name: 'bufferMemory', label: 'Memory', at: [100, 300] },
  { name: 'conversationChain', label: 'Chain', at: [460, 150] },
]

const joined: Link[] = [
  [0, 2],
  [1, 2],
]

const create = (api: Api, name: string, flow: FlowDocument) =>
  api.post<Chatflow>('/chatflows', { name, flowData: JSON.stringify(flow), type: 'CHATFLOW' })

async function openBlank(page: Page) {
  await page.goto('/canvas')
  await expect(nodes(page)).toHaveCount(3)
  await surface(page)
    .locator('.react-flow__pane')
    .click({ position: { x: 30, y: 30 } })
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(nodes(page)).toHaveCount(0)
}

const inputNamed = (page: Page, label: string, input: string) =>
  nodeOf(page, label).locator(`.react-flow__handle.target[title="${input}"]`)
const output = (page: Page, label: string) => nodeOf(page, label).locator('.react-flow__handle.source').first()

test('a new chat flow answers at once', async ({ page }) => {
  await page.goto('/canvas')
  await expect(nodes(page)).toHaveCount(3)
  await openChat(page)
  await ask(page, 'Is anybody there?')
  await expect(messages(page)).toContainText('Is anybody there?')
  await expect(messages(page)).toContainText(/steps?/)
  await expect(page).toHaveURL(/\/canvas\/[\w-]+$/)
})

test('a chat flow is drawn with the mouse, and a wrong connection says why', async ({ page, api }) => {
  await openBlank(page)
  await dragIn(page, 'Conversation Chain', [560, 220])
  await dragIn(page, 'Practice model', [220, 120])
  await output(page, 'Practice model (no key)').dragTo(inputNamed(page, 'Conversation Chain', 'Memory'))
  await expect(toast(page, /takes BaseMemory/)).toBeVisible()
  await expect(edges(page)).toHaveCount(0)
  await output(page, 'Practice model (no key)').dragTo(inputNamed(page, 'Conversation Chain', 'Chat model'))
  await expect(edges(page)).toHaveCount(1)

  // What is dropped on the empty canvas offers what fits only.
  await inputNamed(page, 'Conversation Chain', 'Memory').dragTo(surface(page), { targetPosition: { x: 250, y: 480 } })
  const search = page.getByRole('dialog', { name: 'Add a node' })
  await expect(search.getByRole('option', { name: /^Buffer Memory/ })).toBeVisible()
  await expect(search.getByRole('option', { name: /Practice model/ })).toHaveCount(0)
  await search.getByRole('option', { name: /^Buffer Memory/ }).click()
  await expect(edges(page)).toHaveCount(2)

  await save(page)
  const [, id = ''] = /canvas\/(.+)$/.exec(page.url()) ?? []
  const stored = await api.readFlow(id)
  expect(stored.nodes.find(({ id: each }) => each === 'conversationChain_0')?.data.inputs).toMatchObject({
    model: '{{practiceModel_0.data.instance}}',
    memory: '{{bufferMemory_0.data.instance}}',
  })
})

test('a chat flow is drawn with the keyboard alone', async ({ page }) => {
  await openBlank(page)
  const add = async (text: string) => {
    const search = page.getByRole('searchbox', { name: 'Search nodes' })
    await page.keyboard.press('a')
    await expect(search).toBeFocused()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await expect(search).not.toBeFocused()
  }
  await add('Practice model')
  await expect(nodes(page)).toHaveCount(1)
  await add('Conversation Chain')
  // It is connected to the selected node.
  await expect(edges(page)).toHaveCount(1)
  await add('Buffer Memory')
  await expect(nodes(page)).toHaveCount(3)
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Connect Buffer Memory to…' })
  await expect(dialog.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('Chat model')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('takes BaseChatModel')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Chain, Memory')
  await page.keyboard.press('Enter')
  await expect(edges(page)).toHaveCount(2)
  await page.keyboard.press('Control+s')
  await expectSaved(page)
})

test('nodes are duplicated without their links, deleted with them, and brought back', async ({ page, api }) => {
  const { id } = await create(api, 'Copied by hand', await drawChatflow(api, conversation, joined))
  await page.goto(`/canvas/${id}`)
  await expect(edges(page)).toHaveCount(2)
  await nodeOf(page, 'Chain').click()
  await page.keyboard.press('Control+d')
  await expect(nodeOf(page, 'Chain (1)')).toBeVisible()
  await expect(edges(page)).toHaveCount(2)
  await nodeOf(page, 'Model').click()
  await page.keyboard.press('Delete')
  await expect(edges(page)).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(edges(page)).toHaveCount(2)
  await save(page)
  const flow = await api.readFlow(id)
  const inputsOf = (node: string) => flow.nodes.find((each) => each.id === node)?.data.inputs
  expect(inputsOf('conversationChain_0')).toMatchObject({ model: '{{practiceModel_0.data.instance}}' })
  expect(inputsOf('conversationChain_1')).toMatchObject({ model: '', memory: '' })
})

test('another output of a node removes the connections of the first', async ({ page, api }) => {
  const parts: Part[] = [
    { name: 'llmChain', label: 'First', output: 'outputPrediction', at: [100, 100] },
    { name: 'promptTemplate', label: 'Prompt', at: [460, 100] },
  ]
  const { id } = await create(api, 'Two outputs', await drawChatflow(api, parts, [[0, 1]]))
  await page.goto(`/canvas/${id}`)
  await expect(edges(page)).toHaveCount(1)
  await nodeOf(page, 'First').getByRole('combobox', { name: 'Output of First' }).selectOption('llmChain')
  await expect(edges(page)).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(edges(page)).toHaveCount(1)
  await nodeOf(page, 'First').click({ position: { x: 100, y: 12 } })
  await expect(settings(page, 'First').getByRole('combobox', { name: 'Output' })).toHaveValue('outputPrediction')
})

test('a chat flow leaves as a file and comes back as a chat flow', async ({ page, api }) => {
  const drawn = await drawChatflow(api, conversation, joined)
  const { id } = await create(api, 'On a chat journey', drawn)
  await page.goto(`/canvas/${id}`)
  await expect(nodes(page)).toHaveCount(3)
  const file = (await exportFromCanvas(page)) as FlowDocument
  expect(file.edges).toEqual(drawn.edges)

  await page.goto('/chatflows')
  await expect(page.getByRole('link', { name: 'On a chat journey', exact: true })).toBeVisible()
  await page.getByLabel('Flow file').setInputFiles(jsonFile('Came home Chatflow.json', file))
  const dialog = page.getByRole('dialog', { name: 'Import “Came home”' })
  await expect(dialog).toContainText('This is a chat flow.')
  await dialog.getByRole('button', { name: 'Import and open' }).click()
  await expect(toast(page, 'Imported “Came home” as a chat flow')).toBeVisible()
  await expect(page).toHaveURL(/\/canvas\/[\w-]+$/)
  await expect(edges(page)).toHaveCount(2)
})

test('chat flows are found beside agent flows', async ({ page, api }) => {
  await create(api, 'Findable by anyone', await drawChatflow(api, conversation, joined))
  await page.goto('/app')
  await expect(page.getByRole('link', { name: 'Findable by anyone' })).toHaveAttribute('href', /^\/canvas\//)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').or(page.getByPlaceholder('Search for anything...')).first().fill('Findable by')
  await page.getByRole('option', { name: /Findable by anyone/ }).click()
  await expect(page).toHaveURL(/\/canvas\//)
})

for (const mode of ['light', 'dark']) {
  test(`the canvas of chat flows breaks no rule of axe in ${mode}`, async ({ page, api }) => {
    await page.addInitScript((isDark) => localStorage.setItem('isDarkMode', String(isDark)), mode === 'dark')
    const parts: Part[] = [...conversation, { name: 'llmChain', label: 'Other', at: [460, 420] }]
    const { id } = await create(api, `Accessible chat in ${mode}`, await drawChatflow(api, parts, joined))
    await page.goto('/chatflows')
    await expect(page.getByRole('heading', { level: 1, name: 'Chatflows' })).toBeVisible()
    await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
    await expectAccessible(page)
    await page.goto(`/canvas/${id}`)
    await expect(nodes(page)).toHaveCount(4)
    await expectAccessible(page)
    await nodeOf(page, 'Other').click({ position: { x: 100, y: 12 } })
    await expect(settings(page, 'Other')).toBeVisible()
    await expectAccessible(page)
  })
}

test('a phone shows a chat flow and its settings', async ({ page, api }) => {
  const { id } = await create(api, 'On a phone', await drawChatflow(api, conversation, joined))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/canvas/${id}`)
  await expect(nodes(page)).toHaveCount(3)
  await nodeOf(page, 'Chain').click({ position: { x: 40, y: 12 } })
  await expect(settings(page, 'Chain')).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
