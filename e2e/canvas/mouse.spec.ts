import {
  ask,
  dock,
  dragIn,
  drawBox,
  edges,
  expectSaved,
  flowIdOf,
  flowName,
  inputOf,
  join,
  messages,
  nodeOf,
  nodes,
  openBlankCanvas,
  openCanvas,
  openChat,
  outputOf,
  settings,
  surface,
} from '../support/canvas.ts'
import { draw, practice, reply, start } from '../support/draw.ts'
import { takeRenders, watchRenders } from '../support/renders.ts'
import { expect, expectAccessible, holdBack, test } from '../support/test.ts'

test('a flow is drawn with the mouse, saved, and talked to', async ({ page, api }) => {
  await openBlankCanvas(page)
  await dragIn(page, 'LLM', [400, 160])
  await dragIn(page, 'Direct Reply', [400, 340])
  await join(page, 'Start', 'LLM 0')
  // A line that ends anywhere on the node is meant for it.
  await outputOf(page, 'LLM 0').dragTo(nodeOf(page, 'Direct Reply 0'))
  await expect(edges(page)).toHaveCount(2)

  await nodeOf(page, 'LLM 0').click()
  const llm = settings(page, 'LLM 0')
  await llm.getByRole('combobox', { name: 'Model', exact: true }).selectOption({ label: 'Practice model (no key)' })

  await nodeOf(page, 'Direct Reply 0').click()
  const message = settings(page, 'Direct Reply 0').getByRole('textbox', { name: 'Message' })
  await message.fill('The loom says: ')
  await message.press('End')
  await message.pressSequentially('{{')
  const offered = settings(page, 'Direct Reply 0').getByRole('listbox', { name: 'Variables' })
  await expect(offered.getByRole('option')).not.toHaveCount(0)
  await message.pressSequentially('LLM')
  await offered.getByRole('option', { name: /LLM 0/ }).first().click()
  await expect(message).toHaveText('The loom says: LLM 0')
  await expect(page.getByRole('button', { name: 'Checklist: 0 issues' })).toBeVisible()

  await flowName(page).fill('Drawn with the mouse')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  await expect(page).toHaveURL(/agentcanvas\/[\w-]+$/)
  const stored = await api.readFlow(flowIdOf(page))
  expect(stored.edges.map(({ source, target }) => `${source} ${target}`)).toEqual([
    'startAgentflow_0 llmAgentflow_0',
    'llmAgentflow_0 directReplyAgentflow_0',
  ])

  await openChat(page)
  await ask(page, 'Is this thing on?')
  await expect(messages(page)).toContainText('The loom says:')
  await expect(messages(page)).toContainText('3 steps')
  await expect(nodeOf(page, 'Direct Reply 0').locator('[data-status=FINISHED]')).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Clear run' }).click()
  await expect(nodes(page).locator('[data-status]')).toHaveCount(0)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Outline' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Clear run' })).toHaveCount(0)
  await page.keyboard.press('Escape')
})

test('five nodes are added and connected in nine actions, each undone in one', async ({ page, api }) => {
  const { id } = await api.createFlow('By hand', await draw(api, [start()]))
  await openCanvas(page, id)
  const search = page.getByRole('dialog', { name: 'Add a node' })
  let actions = 0
  const act = async (action: Promise<unknown>) => {
    await action
    actions += 1
  }
  const choose = (name: string) =>
    act(
      search
        .getByRole('option', { name: new RegExp(`^${name} `) })
        .first()
        .click(),
    )

  await act(outputOf(page, 'Start').click())
  await choose('LLM')
  await expect(nodeOf(page, 'LLM 0')).toContainText('Practice model')
  const box = await nodeOf(page, 'LLM 0').boundingBox()
  const canvas = await surface(page).boundingBox()
  if (!box || !canvas) throw new Error('LLM 0 is not on screen')
  const below = { x: box.x - canvas.x, y: box.y - canvas.y + 150 }
  await act(outputOf(page, 'LLM 0').dragTo(surface(page), { targetPosition: below }))
  await choose('Condition')
  await act(outputOf(page, 'Condition 0', 0).click())
  await choose('Direct Reply')
  await act(outputOf(page, 'Condition 0', 1).click())
  await act(search.getByRole('combobox').pressSequentially('http'))
  await act(page.keyboard.press('Enter'))
  await expect(nodeOf(page, 'HTTP 0')).toBeFocused()
  await expect(nodes(page)).toHaveCount(5)
  await expect(edges(page)).toHaveCount(4)
  expect(actions).toBeLessThanOrEqual(9)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(nodes(page)).toHaveCount(4)
  await expect(edges(page)).toHaveCount(3)

  await outputOf(page, 'Start').click()
  await search.getByRole('combobox').fill('start')
  await expect(search.getByRole('option', { name: /Only one Start node is allowed/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()
  await expect(nodes(page)).toHaveCount(4)
})

test('a node goes into the connection where it is dropped, and menus open on nodes and connections', async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow('Inserted', await draw(api, [start(), reply('Hello', 'End')]))
  await openCanvas(page, id)
  const edge = (from: string, to: string) => page.getByRole('group', { name: `From ${from} to ${to}` })
  const tools = page.getByRole('toolbar', { name: 'Selection' })
  await nodeOf(page, 'Start').click()
  await expect(tools).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tools).toBeHidden()
  const from = await outputOf(page, 'Start').boundingBox()
  const to = await inputOf(page, 'End').boundingBox()
  const canvas = await surface(page).boundingBox()
  if (!from || !to || !canvas) throw new Error('The flow is not on screen')
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
  await dragIn(page, 'LLM', [middle.x - canvas.x, middle.y - canvas.y])
  await expect(edge('Start', 'LLM 0')).toHaveCount(1)
  await expect(edge('LLM 0', 'End')).toHaveCount(1)
  await expect(edges(page)).toHaveCount(2)

  await nodeOf(page, 'LLM 0').click({ button: 'right' })
  await expect(page.getByRole('menu', { name: 'Node' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu', { name: 'Node' })).toBeHidden()
  await nodeOf(page, 'LLM 0').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(nodeOf(page, 'LLM 1')).toBeVisible()
  await tools.getByRole('button', { name: 'Delete' }).click()
  await expect(nodes(page)).toHaveCount(3)

  await edge('Start', 'LLM 0').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Insert a node' }).click()
  await page.getByRole('option', { name: /^HTTP / }).click()
  await expect(edge('Start', 'HTTP 0')).toHaveCount(1)
  await expect(edge('HTTP 0', 'LLM 0')).toHaveCount(1)

  await nodeOf(page, 'HTTP 0').focus()
  await page.keyboard.press('Control+a')
  await nodeOf(page, 'End').click({ button: 'right' })
  const icons = page.getByRole('menuitem', { name: /^(Align|Distribute) / }).locator('svg')
  await expect(icons).toHaveCount(8)
  expect(new Set(await icons.evaluateAll((all) => all.map(({ innerHTML }) => innerHTML))).size).toBe(8)
})

test('a drop on a connection waits for the tools of the canvas', async ({ page, api }) => {
  const { id } = await api.createFlow('Early', await draw(api, [start(), reply('Hello', 'End')]))
  const arrive = await holdBack(page, '**/assets/PointerTools-*.js')
  await openCanvas(page, id)
  const from = await outputOf(page, 'Start').boundingBox()
  const to = await inputOf(page, 'End').boundingBox()
  const canvas = await surface(page).boundingBox()
  if (!from || !to || !canvas) throw new Error('The flow is not on screen')
  const targetPosition = { x: (from.x + to.x) / 2 - canvas.x, y: (from.y + to.y) / 2 - canvas.y }
  const entry = page.getByRole('region', { name: 'Nodes' }).getByRole('button', { name: /^LLM/ })
  await entry.dragTo(surface(page), { targetPosition })
  await expect(nodes(page)).toHaveCount(2)
  await arrive()
  await expect(page.getByRole('group', { name: 'From Start to LLM 0' })).toHaveCount(1)
  await expect(page.getByRole('group', { name: 'From LLM 0 to End' })).toHaveCount(1)
  await expect(edges(page)).toHaveCount(2)
})

test('wrong connections are refused and say why', async ({ page, api }) => {
  const { id } = await api.createFlow('Refused', await draw(api, [start(), practice('One'), practice('Two')]))
  await openCanvas(page, id)
  await outputOf(page, 'Two').dragTo(inputOf(page, 'One'))
  await expect(page.getByText('This connection would create a cycle.', { exact: false })).toBeVisible()
  await outputOf(page, 'Start').dragTo(inputOf(page, 'One'))
  await expect(page.getByText('These two nodes are already connected.')).toBeVisible()
  await page.getByRole('button', { name: /^Start/ }).click()
  await expect(page.getByText('Only one Start node is allowed.')).toBeVisible()
  await expect(edges(page)).toHaveCount(2)
  await expect(nodes(page)).toHaveCount(3)
})

test('nodes are moved, duplicated, deleted, and everything can be undone', async ({ page, api }) => {
  const { id } = await api.createFlow('Undone', await draw(api, [start(), practice('Middle'), reply('Hello', 'End')]))
  await openCanvas(page, id)
  const button = (name: string) => page.getByRole('button', { name })
  await expect(button('Nothing to undo')).toBeDisabled()

  const before = await nodeOf(page, 'Middle').boundingBox()
  await nodeOf(page, 'Middle').dragTo(surface(page), { targetPosition: { x: 420, y: 500 }, steps: 5 })
  await expect(dock(page)).toHaveCount(0)
  await expect(page.getByText('Unsaved')).toBeVisible()
  expect((await nodeOf(page, 'Middle').boundingBox())?.y).not.toBe(before?.y)
  await button('Undo').click()
  await expect.poll(async () => (await nodeOf(page, 'Middle').boundingBox())?.y).toBe(before?.y)
  await expectSaved(page)

  await nodeOf(page, 'Middle').click()
  await settings(page, 'Middle').getByRole('button', { name: 'Duplicate' }).click()
  await expect(nodeOf(page, 'Middle 1')).toBeVisible()
  await button('Undo').click()
  await expect(nodes(page)).toHaveCount(3)
  await button('Redo').click()
  await expect(nodes(page)).toHaveCount(4)
  await button('Undo').click()

  await nodeOf(page, 'Middle').click()
  await settings(page, 'Middle').getByRole('button', { name: 'Delete' }).click()
  await expect(nodes(page)).toHaveCount(2)
  await expect(edges(page)).toHaveCount(0)
  await button('Undo').click()
  await expect(nodes(page)).toHaveCount(3)
  await expect(edges(page)).toHaveCount(2)
})

test('a new flow says what to do next, whatever is left of it', async ({ page }) => {
  await openCanvas(page)
  await expect(page.getByText(/^This flow is ready to chat\. Change its agent/)).toBeVisible()
  await nodeOf(page, 'Agent 0').press('Delete')
  await expect(page.getByText(/^Add a node to get an answer/)).toBeVisible()
  await expect(page.getByText('ready to chat')).toHaveCount(0)
})

test('leaving with unsaved changes asks', async ({ page, api }) => {
  const { id } = await api.createFlow('Left open', await draw(api, [start(), reply('Hello')]))
  await openCanvas(page, id)
  await flowName(page).fill('Left open, changed')
  await page.getByRole('link', { name: 'All agent flows' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(flowName(page)).toHaveValue('Left open, changed')
  await page.getByRole('link', { name: 'All agent flows' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL('/agentflows')
  await page.getByRole('link', { name: 'Left open', exact: true }).click()
  await flowName(page).fill('Left saved')
  await page.getByRole('link', { name: 'All agent flows' }).click()
  await question.getByRole('button', { name: 'Save and leave' }).click()
  await expect(page).toHaveURL('/agentflows')
  await expect(page.getByRole('link', { name: 'Left saved', exact: true })).toBeVisible()
})

test('the checklist names what is wrong and leads to it', async ({ page, api }) => {
  const { id } = await api.createFlow('To be mended', await draw(api, [start(), reply('', 'Silent')]))
  await openCanvas(page, id)
  await page.getByRole('button', { name: 'Checklist: 1 issue' }).click()
  const message = settings(page, 'Silent').getByRole('textbox', { name: 'Message' })
  await page.getByRole('button', { name: /Silent.*Message/ }).click()
  await expect(message).toBeFocused()
  // The editor of the field is loaded by now.
  await page.getByRole('tab', { name: 'Checklist' }).click()
  await page.getByRole('button', { name: /Silent.*Message/ }).click()
  await expect(message).toBeFocused()
  await message.fill('Not any more')
  await expect(page.getByRole('button', { name: 'Checklist: 0 issues' })).toBeVisible()
})

test('the mark on a connection removes that connection and nothing else', async ({ page, api }) => {
  const parts = [start(), practice('One'), practice('Two'), reply('Hello', 'End')]
  const { id } = await api.createFlow('Cut once', await draw(api, parts))
  await openCanvas(page, id)
  const mark = surface(page).getByRole('button', { name: 'Remove connection' })
  await drawBox(page, 'One', 'Two')
  await expect(nodeOf(page, 'One')).toHaveClass(/selected/)
  await expect(nodeOf(page, 'Two')).toHaveClass(/selected/)
  await expect(mark).toHaveCount(0)

  await page.getByRole('group', { name: 'From Two to End' }).locator('.react-flow__edge-interaction').click()
  await mark.click()
  await expect(page.getByRole('group', { name: 'From Two to End' })).toHaveCount(0)
  await expect(edges(page)).toHaveCount(2)
  await expect(nodes(page)).toHaveCount(4)
})

test('nodes in a box are copied although text was selected before', async ({ page, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await api.createFlow('Boxed', await draw(api, [start(), practice('One'), practice('Two')]))
  await openCanvas(page, id)
  await nodeOf(page, 'One').click()
  await settings(page, 'One').getByText('Messages', { exact: true }).dblclick()
  await dock(page).getByRole('button', { name: 'Close panel' }).click()
  await drawBox(page, 'One', 'Two')
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"heddle":"nodes"')
  await page.keyboard.press('Control+v')
  await expect(nodes(page)).toHaveCount(5)
})

test('a drag renders the places of its nodes and their connections, and nothing else', async ({ page, api }) => {
  const far = Array.from({ length: 12 }, (_, index) => ({
    ...reply('Said: {{llmAgentflow_0}}', `Far ${index}`),
    at: [100 + (index % 4) * 280, 500 + Math.floor(index / 4) * 120] as const,
  }))
  const parts = [start(), practice('One'), practice('Two'), reply('{{llmAgentflow_1}}', 'End'), ...far]
  const links = [[0, 1], [1, 2], [2, 3], ...far.map((_, index) => [0, index + 4])] as [number, number][]
  const { id } = await api.createFlow('Dragged', await draw(api, parts, links))
  await watchRenders(page)
  await openCanvas(page, id)
  await drawBox(page, 'One', 'Two')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible()
  const box = await nodeOf(page, 'One').boundingBox()
  if (!box) throw new Error('One is not on screen')
  await page.mouse.move(box.x + 40, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + 50, box.y + 30, { steps: 5 })
  await takeRenders(page)
  await page.mouse.move(box.x + 120, box.y + 90, { steps: 12 })
  const { nodes: rendered, faces, edges: lines } = await takeRenders(page)
  await page.mouse.up()
  expect([...new Set(rendered)].sort()).toEqual(['llmAgentflow_0', 'llmAgentflow_1'])
  expect(new Set(lines).size).toBe(3)
  expect(faces).toEqual([])
  expect((await nodeOf(page, 'One').boundingBox())?.x).toBeGreaterThan(box.x + 20)
})

test('a large flow that is seen from afar is drawn as a picture, without rendering its nodes', async ({
  page,
  api,
}) => {
  const parts = Array.from({ length: 130 }, (_, index) => ({
    ...(index === 0 ? start() : reply('Hello', `Reply ${index}`)),
    at: [(index % 13) * 320, Math.floor(index / 13) * 160] as const,
  }))
  const { id } = await api.createFlow('Large', await draw(api, parts))
  await watchRenders(page)
  await page.goto(`/v2/agentcanvas/${id}`)
  await expect(page.locator('.heddle-far')).toBeVisible()
  expect((await takeRenders(page)).nodes).toEqual([])
  await expectAccessible(page)
  // The picture gives way to the nodes in view.
  for (let turns = 0; turns < 12; turns++) await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect(nodes(page)).not.toHaveCount(0)
})

test('a flow is drawn while its nodes to add can’t be loaded, and they are loaded again', async ({ page, api }) => {
  const { id } = await api.createFlow('Without nodes', await draw(api, [start(), reply('Hello', 'End')]))
  await page.route('**/api/v1/nodes', (route) => route.abort())
  await openCanvas(page, id)
  await expect(nodes(page)).toHaveCount(2)
  const palette = page.getByRole('region', { name: 'Nodes' })
  await expect(palette.getByText('Couldn’t load the nodes.')).toBeVisible()

  await page.unroute('**/api/v1/nodes')
  await palette.getByRole('button', { name: 'Try again' }).click()
  await palette.getByRole('button', { name: /^Direct Reply/ }).click()
  await expect(nodes(page)).toHaveCount(3)
})
