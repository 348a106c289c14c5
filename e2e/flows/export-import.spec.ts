import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { nodes } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { jsonFile } from '../support/files.ts'
import { boxOf, overlap } from '../support/layout/boxes.ts'
import { expect, expectAccessible, expectAccessibleInBothModes, setCheckbox, test, toast } from '../support/test.ts'

async function choose(page: Page, item: 'Export' | 'Import') {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('a failed export leaves the button in reach on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route('**/export-import/export', (route) =>
    route.fulfill({ status: 500, json: { message: 'Out of yarn' } }),
  )
  await page.goto('/agentflows')
  await choose(page, 'Export')
  const button = page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: 'Export' })
  await button.click()
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to export: Out of yarn' })
  await expect(failure).toBeVisible()
  const [told, pressed] = [await failure.boundingBox(), await button.boundingBox()]
  expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThan(pressed?.y ?? 0)
})

for (const { device, viewport } of [
  { device: 'a desktop', viewport: { width: 1400, height: 900 } },
  { device: 'a phone', viewport: { width: 390, height: 844 } },
])
  test(`a toast leaves the title and the buttons of a tall dialog free on ${device}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await page.goto('/tools')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import', exact: true }).first().click()
    await (await chooser).setFiles(jsonFile('notes.txt', 1))
    const told = page.getByRole('region', { name: 'Notifications' }).getByRole('alert')
    await expect(told).toBeVisible()
    await page.getByRole('link', { name: 'MCP servers' }).click()
    await page.getByRole('button', { name: 'New MCP server' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New MCP server' })
    await dialog.getByLabel('Authorization').selectOption('OAuth')
    await dialog.getByText('Use a client of your own').click()
    for (const part of [
      dialog.getByRole('heading', { name: 'New MCP server' }),
      dialog.getByRole('button', { name: 'Close' }),
      dialog.getByRole('button', { name: 'Cancel' }),
      dialog.getByRole('button', { name: 'Create' }),
    ])
      expect(overlap(await boxOf(told), await boxOf(part))).toBe(false)
  })

test('a workspace leaves as a file, and comes back as told before', async ({ page, api }) => {
  await api.createFlow('Warp and weft', await draw(api, [start(), reply('Hello')]))
  await page.goto('/agentflows')

  await choose(page, 'Export')
  const asking = page.getByRole('dialog', { name: 'Export' })
  await expect(asking).toBeVisible()
  await expectAccessibleInBothModes(page, ['desktop'], '[role=dialog]')
  const boxes = await asking.getByRole('checkbox').all()
  for (const box of boxes) await setCheckbox(box, false)
  await asking.getByRole('button', { name: 'Export' }).click()
  await expect(asking.getByRole('alert')).toContainText('Select at least one data type.')
  await asking.getByText('Agent flows', { exact: true }).click()
  const leaving = page.waitForEvent('download')
  await asking.getByRole('button', { name: 'Export' }).click()
  const download = await leaving
  expect(download.suggestedFilename()).toBe('ExportData.json')
  await expect(asking).toBeHidden()

  const { Variable, ...bundle } = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect([Variable, bundle.FileDefaultName]).toEqual([[], undefined])
  const item = bundle.AgentFlowV2.find(({ name }: { name: string }) => name === 'Warp and weft')
  const unknown = { ...start(), id: 'magicAgentflow_0', type: 'agentFlow', position: { x: 0, y: 0 } }
  const magic = { ...unknown, data: { id: 'magicAgentflow_0', name: 'magicAgentflow', label: 'Magic' } }
  const flow = JSON.parse(item.flowData)
  const changed = { ...item, name: 'Magic flow', flowData: JSON.stringify({ ...flow, nodes: [...flow.nodes, magic] }) }

  await choose(page, 'Import')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('File to import').setInputFiles(jsonFile('notes.txt', {}))
  await expect(toast(page, /^Failed to import: Invalid Imported File$/)).toBeVisible()
  await expect(page.getByRole('alert').getByRole('img', { name: 'Error' })).toBeVisible()
  await expect(toast(page, 'Only .json files can be imported.')).toBeVisible()

  await choose(page, 'Import')
  await dialog
    .getByLabel('File to import')
    .setInputFiles(jsonFile('ExportData.json', { AgentFlowV2: [changed], Tool: [{ name: 'Weather' }] }))
  await expect(dialog).toContainText('Agent flows: 1')
  await expect(dialog).toContainText('Custom tools: 1')
  await expect(dialog).toContainText('Weather')
  await dialog.getByText('Magic flow').click()
  await expect(dialog).toContainText('3 nodes. 1 is not supported yet.')
  await expect(dialog).toContainText('The node type magicAgentflow is not supported')
  await expectAccessible(page, '[role=dialog]')
  await expect(page.getByRole('link', { name: 'Magic flow', exact: true })).toHaveCount(0)

  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(toast(page, 'Import All successful')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Magic flow', exact: true })).toBeVisible()

  const mine = { ...item, name: 'Warp, changed' }
  await choose(page, 'Import')
  await dialog.getByLabel('File to import').setInputFiles(jsonFile('Again.json', { AgentFlowV2: [item] }))
  await expect(dialog.getByLabel('What to do with Warp and weft')).toHaveValue('skip')
  await expect(dialog).toContainText('You have it')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await choose(page, 'Import')
  await dialog.getByLabel('File to import').setInputFiles(jsonFile('Mine.json', { AgentFlowV2: [mine] }))
  await expect(dialog).toContainText('Yours differs')
  await dialog.getByLabel('What to do with Warp, changed').selectOption('Replace yours')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Warp, changed', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Warp and weft', exact: true })).toHaveCount(0)
})

test('a large file is checked and imported in the background, and found again after the page was left', async ({
  page,
  api,
}) => {
  await page.goto('/agentflows')
  const dialog = page.getByRole('dialog')

  const message = (n: number) => ({ id: crypto.randomUUID(), role: 'userMessage', content: `${n} `.padEnd(3000, 'x') })
  const lists = { Tool: [{ name: 'Loom' }], ChatMessage: Array.from({ length: 3000 }, (_, n) => message(n)) }
  await choose(page, 'Import')
  await dialog.getByLabel('File to import').setInputFiles(jsonFile('Many.json', lists))
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await expect(dialog).toContainText('Custom tools: 1', { timeout: 60_000 })
  await expect(dialog).toContainText('Skipped')
  await expectAccessible(page, '[role=dialog]')

  await page.goto('/tools')
  await choose(page, 'Import')
  await expect(dialog).toContainText('Import “Many.json”')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(toast(page, 'Import All successful')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('Loom', { exact: true })).toBeVisible()
  const tools = (await api.get('/tools')) as { id: string; name: string }[]
  for (const { id, name } of tools) if (name === 'Loom') await api.delete(`/tools/${id}`)
})

test('a file on the canvas is told of before it takes the place of the flow, and undone', async ({ page, api }) => {
  const { id } = await api.createFlow('In its place', await draw(api, [start(), reply('Hello')]))
  const place = { type: 'agentFlow', position: { x: 400, y: 300 } }
  const magic = { ...place, id: 'm', data: { id: 'm', name: 'magicAgentflow', label: 'Magic' } }
  const tools = [{ agentSelectedTool: 'magicTool' }]
  const agent = { id: 'a', name: 'agentAgentflow', label: 'Handy', version: 3.2, inputs: { agentTools: tools } }
  const {
    nodes: [begin],
  } = await draw(api, [start()])
  const file = { nodes: [begin, magic, { ...place, id: 'a', position: { x: 700, y: 300 }, data: agent }], edges: [] }
  await page.goto(`/v2/agentcanvas/${id}`)
  const importing = async (content: unknown) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: 'Import from a file' }).click()
    await (await chooser).setFiles(jsonFile('Magic Agents.json', content))
  }

  await importing({ nodes: 1 })
  await expect(toast(page, /Failed to import: Invalid Imported File/)).toBeVisible()
  await importing(file)
  const dialog = page.getByRole('dialog', { name: 'Import “Magic”' })
  await expect(dialog).toContainText('The node type magicAgentflow is not supported')
  await expect(dialog).toContainText('Tool magicTool is not supported')
  await dialog.getByRole('button', { name: 'Replace this flow' }).click()
  await expect(dialog).toBeHidden()
  await expect(nodes(page)).toHaveCount(3)
  await expect(page.getByText('Not supported. Kept unchanged.')).toHaveCount(2)
  await page.keyboard.press('Control+z')
  await expect(nodes(page)).toHaveCount(2)
})

test('export and import work on a phone, and with the keyboard alone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/agentflows')
  await page.getByRole('button', { name: 'Your account' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Import', exact: true })).toBeVisible()
  await page.keyboard.type('Imp')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Import' })
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('File to import').setInputFiles(jsonFile('Small.json', { nodes: [], edges: [] }))
  await expect(dialog).toContainText('0 nodes')
  const { width } = (await dialog.boundingBox()) ?? { width: 0 }
  expect(width).toBeLessThanOrEqual(390)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('imported flows that cannot run are counted, listed, exported and deleted', async ({ page, api }) => {
  const flowData = JSON.stringify(await draw(api, [start(), reply('Hello')]))
  const item = (id: string, name: string) => ({ id, name, flowData, type: 'MULTIAGENT' })
  const bundle = {
    AgentFlow: [item('31f8e1d1-1111-4111-8111-000000000002', 'Old agents')],
    AssistantFlow: [item('31f8e1d1-1111-4111-8111-000000000003', 'Old assistant')],
  }
  await page.goto('/agentflows')
  await choose(page, 'Import')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('File to import').setInputFiles(jsonFile('ExportData.json', bundle))
  await expect(dialog).toContainText('2 imported flows can’t run')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(toast(page, 'Import All successful')).toBeVisible()

  await expect(page.getByRole('note')).toContainText('2 imported flows can’t run.')
  await page.getByRole('link', { name: 'View unsupported flows' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Unsupported flows' })).toBeVisible()
  for (const [name, kind] of [
    ['Old agents', 'Older agent flow'],
    ['Old assistant', 'Assistant'],
  ] as const)
    await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText(`${kind}Can’t run`)
  await expectAccessible(page)

  const { id: flowId } = await api.createFlow('Runs', JSON.parse(flowData))
  await api.post('/triggers', { flowId, name: 'Pushes', settings: { kind: 'webhook', input: { mode: 'payload' } } })
  await page.goto('/triggers')
  await expect(page.getByRole('row', { name: /Pushes Runs/ })).toBeVisible()
  await page.getByRole('button', { name: 'New trigger' }).click()
  const choices = page.getByRole('dialog').getByLabel('Flow', { exact: true })
  await expect(choices).toContainText('Runs')
  await expect(choices).not.toContainText('Old')

  await page.goto('/agentflows/unsupported')
  const leaving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Actions for Old agents' }).click()
  await page.getByRole('menuitem', { name: 'Export' }).click()
  expect((await leaving).suggestedFilename()).toBe('Old agents Agents.json')
  for (const name of ['Old agents', 'Old assistant']) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
  }
  await expect(page.getByText('No unsupported flows')).toBeVisible()
})

test('an agent flow of the first generation is shown read-only, with the reason why it cannot run', async ({
  page,
  api,
}) => {
  const part = (id: string, label: string, x: number) => {
    const name = id.replace(/_0$/, '')
    const anchors = {
      inputAnchors: [{ id: `${id}-input-model-Agent`, name: 'model', label: 'Model', type: 'Agent' }],
      outputAnchors: [{ id: `${id}-output-${name}-Agent`, name, label: 'Agent', type: 'Agent' }],
    }
    const data = { id, label, name, inputs: {}, category: 'Sequential Agents', version: 3, ...anchors }
    return { id, type: 'customNode', position: { x, y: 100 }, data }
  }
  const sourceHandle = 'seqStart_0-output-seqStart-Agent'
  const targetHandle = 'seqAgent_0-input-model-Agent'
  const edge = { id: 'joined', source: 'seqStart_0', sourceHandle, target: 'seqAgent_0', targetHandle }
  const team = [part('seqStart_0', 'Start', 0), part('seqAgent_0', 'Agent', 500)]
  const flowData = JSON.stringify({ nodes: team, edges: [{ ...edge, type: 'buttonedge' }] })
  const { id } = await api.post<Chatflow>('/chatflows', { name: 'Looked at', flowData, type: 'MULTIAGENT' })
  await page.goto('/agentflows/unsupported')
  await page.getByRole('link', { name: 'Looked at' }).click()
  const view = page.getByRole('dialog', { name: 'Looked at' })
  await expect(nodes(page)).toHaveCount(2)
  await expect(view.locator('.react-flow__edge')).toHaveCount(1)
  await expect(view.getByRole('note')).toContainText('Older agent flow: can’t run')
  for (const name of ['New agent flow', 'New chat flow']) await expect(view.getByRole('link', { name })).toBeVisible()
  await expect(view.getByRole('note')).toContainText('Rebuild it as an agent flow, or run it where it came from')
  await expectAccessible(page)
  await nodes(page).first().click()
  await page.keyboard.press('Delete')
  await expect(nodes(page)).toHaveCount(2)
  const leaving = page.waitForEvent('download')
  await view.getByRole('button', { name: 'Export' }).click()
  expect((await leaving).suggestedFilename()).toBe('Looked at Agents.json')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(view.getByRole('note')).toBeVisible()
  await page.reload()
  await expect(nodes(page)).toHaveCount(2)
  await view.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL('/agentflows/unsupported')
  expect((await api.get<Chatflow>(`/chatflows/${id}`)).flowData).toBe(flowData)

  await page.goto('/agentflows/unsupported?flow=31f8e1d1-1111-4111-8111-00000000dead')
  await expect(page.getByText('It was deleted, or it belongs to another workspace.')).toBeVisible()
  await page.goto('/agentflows/unsupported')
  await page.getByRole('button', { name: 'Actions for Looked at' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No unsupported flows')).toBeVisible()
})
