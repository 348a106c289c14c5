import type { Page } from '@playwright/test'
import {
  chat,
  dock,
  edges,
  expectSaved,
  flowIdOf,
  messages,
  nodeOf,
  nodes,
  openBlankCanvas,
  openCanvas,
  settings,
  surface,
  tabTo,
} from '../support/canvas.ts'
import { draw, practice, reply, start } from '../support/draw.ts'
import { expect, expectAccessible, expectStatus, holdBack, test } from '../support/test.ts'

async function addNode(page: Page, text: string) {
  const search = page.getByRole('searchbox', { name: 'Search nodes' })
  await page.keyboard.press('a')
  await expect(search).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  await expect(search).not.toBeFocused()
}

async function selectNode(page: Page, label: string) {
  await tabTo(page, nodeOf(page, label))
  await page.keyboard.press('Space')
  await expect(nodeOf(page, label)).toHaveClass(/selected/)
}

async function connect(page: Page, from: string, to: string) {
  await selectNode(page, from)
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: `Connect ${from} to…` })
  await expect(dialog.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(to)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}

test('a flow is drawn with the keyboard alone, saved, and talked to', async ({ page, api }) => {
  await openBlankCanvas(page)
  await addNode(page, 'LLM')
  await expect(nodeOf(page, 'LLM 0')).toBeVisible()
  await selectNode(page, 'Start')
  await addNode(page, 'Direct Reply')
  await expect(nodeOf(page, 'Direct Reply 0')).toBeVisible()
  await expect(edges(page)).toHaveCount(2)
  await tabTo(page, page.getByRole('group', { name: 'From LLM 0 to Direct Reply 0' }))
  await page.keyboard.press('Delete')
  await expect(edges(page)).toHaveCount(1)
  await connect(page, 'LLM 0', 'Direct Reply 0')
  await expect(edges(page)).toHaveCount(2)

  await selectNode(page, 'LLM 0')
  await page.keyboard.press('Enter')
  const llm = settings(page, 'LLM 0')
  await expect(llm.getByRole('textbox', { name: 'Node name' })).toBeFocused()
  await tabTo(page, llm.getByRole('combobox', { name: 'Model', exact: true }))
  await page.keyboard.type('Practice')
  await expect(llm.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue('practiceModel')

  await selectNode(page, 'Direct Reply 0')
  await page.keyboard.press('Enter')
  const message = settings(page, 'Direct Reply 0').getByRole('textbox', { name: 'Message' })
  await tabTo(page, message)
  await page.keyboard.type('It said: {{LLM')
  await expect(page.getByRole('listbox', { name: 'Variables' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(message).toHaveText('It said: LLM 0')

  await page.keyboard.press('Control+s')
  await expectSaved(page)
  await expect(page).toHaveURL(/agentcanvas\/[\w-]+$/)
  expect((await api.readFlow(flowIdOf(page))).edges).toHaveLength(2)

  await tabTo(page, page.getByRole('button', { name: 'Chat', exact: true }))
  await page.keyboard.press('Enter')
  await expect(chat(page)).toBeVisible()
  await tabTo(page, chat(page).getByRole('textbox', { name: 'Question' }))
  await page.keyboard.type('Can you hear the keys?')
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText('It said:')
  await expect(messages(page)).toContainText('3 steps')
})

test('nodes are moved, copied, pasted, duplicated, deleted, undone and redone', async ({ page, api }) => {
  const { id } = await api.createFlow('By keys', await draw(api, [start(), practice('Middle'), reply('Hello', 'End')]))
  await openCanvas(page, id)
  await selectNode(page, 'Middle')
  const before = (await nodeOf(page, 'Middle').boundingBox()) as { x: number; y: number }
  const top = async () => Math.round((await nodeOf(page, 'Middle').boundingBox())?.y ?? 0)
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(top).toBeGreaterThan(Math.round(before.y))
  await page.keyboard.press('Control+z')
  await expect.poll(top).toBe(Math.round(before.y))
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(top).toBeGreaterThan(Math.round(before.y))

  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  await expect(nodes(page)).toHaveCount(4)
  await page.keyboard.press('Control+d')
  await expect(nodes(page)).toHaveCount(5)
  await page.keyboard.press('Delete')
  await expect(nodes(page)).toHaveCount(4)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expect(nodes(page)).toHaveCount(3)

  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(nodes(page)).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(nodes(page)).toHaveCount(3)
  await expect(edges(page)).toHaveCount(2)
})

test('the outline lists the flow and edits it, the help lists the keys', async ({ page, api }) => {
  const { id } = await api.createFlow('Outlined', await draw(api, [start(), practice('Middle'), reply('Hi', 'End')]))
  await openCanvas(page, id)
  await page.keyboard.press('o')
  const outline = page.getByRole('list', { name: 'Nodes in running order' })
  await expect(outline.getByRole('list', { name: 'Connections from Start' })).toContainText('Middle')
  await tabTo(page, outline.getByRole('button', { name: 'Remove the connection from Start to Middle' }))
  await page.keyboard.press('Enter')
  await expect(edges(page)).toHaveCount(1)

  await page.keyboard.press('Control+z')
  await expect(edges(page)).toHaveCount(2)
  await tabTo(page, nodeOf(page, 'End'))
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Connect the selected node')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden()
})

test('keys mean the node that has the focus, also while another one is selected', async ({ page, api }) => {
  const flow = await draw(api, [start(), practice('Middle'), reply('Hi', 'End')], [])
  const { id } = await api.createFlow('Focused', flow)
  await openCanvas(page, id)
  const loaded = page.waitForResponse(/ConnectDialog/)
  await tabTo(page, nodeOf(page, 'Start'))
  await loaded
  await page.keyboard.press('c')
  const fromStart = page.getByRole('dialog', { name: 'Connect Start to…' })
  await expect(fromStart.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('Middle')
  await page.keyboard.press('Enter')
  await expect(fromStart).toBeHidden()
  await expect(edges(page)).toHaveCount(1)

  await expect(nodeOf(page, 'Start')).toHaveClass(/selected/)
  await tabTo(page, nodeOf(page, 'Middle'))
  await page.keyboard.press('c')
  const fromMiddle = page.getByRole('dialog', { name: 'Connect Middle to…' })
  await expect(fromMiddle.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('Nowhere')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByText('No node matches “Nowhere”.')).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Start')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('cannot be connected')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('End')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'From Middle to End' })).toHaveCount(1)
})

test('D disables the focused node and enables it again, undo takes it back, and both lists of keys say so', async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow('Off', await draw(api, [start(), practice('Middle'), reply('Hello', 'End')]))
  await openCanvas(page, id)
  const disabled = page.getByRole('group', { name: 'Middle, LLM, disabled' })
  await tabTo(page, nodeOf(page, 'Middle'))
  await page.keyboard.press('d')
  await expect(disabled).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(disabled).toHaveCount(0)
  await page.keyboard.press('d')
  await page.keyboard.press('d')
  await expect(disabled).toHaveCount(0)
  await tabTo(page, nodeOf(page, 'Start'))
  await page.keyboard.press('d')
  await expect(page.getByText(/Start.*disabled/i)).toBeVisible()

  await nodeOf(page, 'Middle').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Disable D' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByText('Disable or enable the selected nodes')).toBeVisible()
})

test('Escape leads from a field back to its node, and the palette is one stop', async ({ page, api }) => {
  const { id } = await api.createFlow('Stops', await draw(api, [start(), practice('Middle')]))
  await openCanvas(page, id)
  await tabTo(page, nodeOf(page, 'Middle'))
  await page.keyboard.press('Enter')
  await expect(settings(page, 'Middle').getByRole('textbox', { name: 'Node name' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(nodeOf(page, 'Middle')).toBeFocused()

  await page.keyboard.press('a')
  await expect(page.getByRole('searchbox', { name: 'Search nodes' })).toBeFocused()
  const palette = page.getByRole('region', { name: 'Nodes' })
  await page.keyboard.press('Tab')
  await expect(palette.getByRole('button').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(palette.getByRole('button').nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(palette.getByRole('button').last()).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(palette.getByRole('button').last()).not.toBeFocused()
  expect(await page.evaluate(() => document.activeElement?.closest('[aria-label="Nodes"]'))).toBeNull()
})

test('a key opens the chat, the question has the focus, and the first save keeps it', async ({ page }) => {
  await openBlankCanvas(page)
  await addNode(page, 'Direct Reply')
  await page.keyboard.press('Escape')
  await selectNode(page, 'Direct Reply 0')
  await page.keyboard.press('Enter')
  const message = settings(page, 'Direct Reply 0').getByRole('textbox', { name: 'Message' })
  await tabTo(page, message)
  await page.keyboard.type('Hello')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Control+s')
  await expectSaved(page)
  await expect(page).toHaveURL(/agentcanvas\/[\w-]+$/)
  await expect(message).toBeFocused()
  await page.keyboard.type('-')
  await expect(message).toHaveText('Hell-o')

  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await expect(chat(page).getByRole('textbox', { name: 'Question' })).toBeFocused()
})

test('three connected nodes are saved in at most 14 keys', async ({ page, api }) => {
  let presses = 0
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    presses += keys.length
  }
  const type = (text: string) => press(...text)
  const added = async (search: string, label: string) => {
    await press('a')
    await type(search)
    await press('Enter')
    await expect(nodeOf(page, label)).toBeFocused()
  }
  await openBlankCanvas(page)
  await added('llm', 'LLM 0')
  await added('direct', 'Direct Reply 0')
  await press('Control+s')
  await expectSaved(page)
  await expect(page).toHaveURL(/agentcanvas\/[\w-]+$/)
  expect((await api.readFlow(flowIdOf(page))).edges).toHaveLength(2)
  expect(presses).toBeLessThanOrEqual(14)
})

test('text is found in the flow, the outline is filtered, and F6 moves between the parts', async ({ page, api }) => {
  const parts = [start(), practice('Middle'), reply('Warp and weft', 'End')]
  const { id } = await api.createFlow('Searched', await draw(api, parts))
  await openCanvas(page, id)
  await page.keyboard.press('Control+f')
  // At once: no letter is a shortcut of the canvas.
  await page.keyboard.type('weft')
  const find = page.getByRole('search', { name: 'Find in the flow' })
  await expect(find.getByRole('textbox', { name: 'Find' })).toHaveValue('weft')
  await expectStatus(find, '1')
  await page.keyboard.press('Enter')
  await expect(find).toContainText('End · Message: Warp and weft')
  await expect(nodeOf(page, 'End')).toHaveClass(/selected/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(find).toBeHidden()
  await expect(nodeOf(page, 'End')).toBeFocused()

  await page.keyboard.press('o')
  const outline = page.getByRole('list', { name: 'Nodes in running order' })
  await page.getByRole('searchbox', { name: 'Filter nodes' }).fill('mid')
  await expect(outline.getByRole('button', { name: /^Middle/ })).toBeVisible()
  await expect(outline.getByRole('button', { name: /^Start/ })).toHaveCount(0)
  await page.keyboard.press('F6')
  await expect(page.getByRole('searchbox', { name: 'Search nodes' })).toBeFocused()
  await page.keyboard.press('F6')
  await expect(nodeOf(page, 'End')).toBeFocused()
  await page.keyboard.press('F6')
  await expect(dock(page).getByRole('tab', { name: 'Outline' })).toBeFocused()
})

test('what is typed before a part has loaded is for that part, not for the canvas', async ({ page, api }) => {
  const { id } = await api.createFlow('Typed early', await draw(api, [start(), practice('Middle'), reply('Hi', 'End')]))
  const text = 'color'
  for (const [part, open, field] of [
    ['PointerTools', () => surface(page).dblclick({ position: { x: 60, y: 500 } }), 'Search nodes to add'],
    ['ConnectDialog', () => page.keyboard.press('c'), 'Search nodes to connect to'],
    ['DockedChat', () => page.keyboard.press('t'), 'Question'],
    ['SideDock', () => page.keyboard.press('t'), 'Question'],
  ] as const) {
    await test.step(part, async () => {
      const arrive = await holdBack(page, `**/assets/${part}-*.js`)
      await openCanvas(page, id)
      await nodeOf(page, 'Start').focus()
      await page.keyboard.press('Space')
      await open()
      await page.keyboard.type(`${text}xy`)
      await page.keyboard.press('Backspace')
      await arrive()
      await page.keyboard.type('z')
      await expect(page.getByLabel(field, { exact: true })).toBeFocused()
      await expect(page.getByLabel(field, { exact: true })).toHaveValue(`${text}xz`)
      await expect(page.locator('.react-flow__node')).toHaveCount(3)
      await expect(page.getByRole('dialog')).toHaveCount(field === 'Question' ? 0 : 1)
      await page.evaluate(() => localStorage.removeItem('canvas:dock'))
    })
  }
})

test('Escape gives the keys back to the canvas when a part does not load', async ({ page, api }) => {
  const { id } = await api.createFlow('Given up', await draw(api, [start(), reply('Hi')]))
  await holdBack(page, '**/assets/ConnectDialog-*.js')
  await openCanvas(page, id)
  await nodeOf(page, 'Start').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('c')
  await page.keyboard.type('o')
  await expect(dock(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.type('o')
  await expect(page.getByRole('list', { name: 'Nodes in running order' })).toBeVisible()
})
