import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { nodes, save } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { jsonFile } from '../support/files.ts'
import { expect, test, toast } from '../support/test.ts'

const flowLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

async function choose(page: Page, flow: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${flow}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('flows are found, renamed, duplicated, deleted and restored', async ({ page, api }) => {
  const flow = await draw(api, [start(), reply('Hello')])
  await api.createFlow('Warp alpha', flow)
  await api.createFlow('Weft beta', flow)

  await page.goto('/agentflows')
  await page.getByRole('searchbox', { name: 'Search agent flows' }).fill('wARp')
  await expect(flowLink(page, 'Weft beta')).toBeHidden()
  await expect(flowLink(page, 'Warp alpha')).toBeVisible()

  await choose(page, 'Warp alpha', 'Rename')
  await page.getByRole('dialog').getByLabel('Name').fill('Warp gamma')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(flowLink(page, 'Warp gamma')).toBeVisible()
  await expect(flowLink(page, 'Warp alpha')).toBeHidden()

  await choose(page, 'Warp gamma', 'Duplicate')
  await expect(flowLink(page, 'Warp gamma (copy)')).toBeVisible()

  await choose(page, 'Warp gamma', 'Delete')
  await expect(page.getByRole('alertdialog')).toContainText('Nothing uses it. This also deletes its conversations')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(flowLink(page, 'Warp gamma')).toBeVisible()
  await choose(page, 'Warp gamma', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(flowLink(page, 'Warp gamma')).toBeHidden()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(flowLink(page, 'Warp gamma')).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search agent flows' }).fill('nothing of the kind')
  await expect(page.getByText('No agent flows match “nothing of the kind”.')).toBeVisible()
})

test('the source files of a flow come back with it, and travel in its file', async ({ page, api }) => {
  const sources = [{ name: 'agents/root.yaml', data: Buffer.from('name: root').toString('base64') }]
  const flow = await draw(api, [start(), reply('Hello')])
  const { id } = await api.createFlow('Designed elsewhere', flow)
  await api.put(`/chatflows/${id}`, { flowData: JSON.stringify(flow), sources })
  await page.goto('/agentflows')
  await page.getByRole('searchbox', { name: 'Search agent flows' }).fill('Designed elsewhere')

  const download = page.waitForEvent('download')
  await choose(page, 'Designed elsewhere', 'Export')
  const file = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(file.sources).toEqual(sources)

  await choose(page, 'Designed elsewhere', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(toast(page, /^Restored/)).toBeVisible()
  const restored = await api.get<{ id: string; name: string }[]>('/chatflows?type=AGENTFLOW')
  const again = restored.find(({ name }) => name === 'Designed elsewhere')
  expect(again?.id).not.toBe(id)
  expect(await api.get(`/chatflows/${again?.id}/sources`)).toEqual(sources)

  const buffer = Buffer.from(JSON.stringify(file))
  await page.getByLabel('Flow file').setInputFiles({ name: 'Travelled.json', mimeType: 'application/json', buffer })
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('The source file of this design comes along.')
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(toast(page, 'Imported “Travelled” as an agent flow')).toBeVisible()
  const flows = await api.get<{ id: string; name: string }[]>('/chatflows?type=AGENTFLOW')
  const imported = flows.find(({ name }) => name === 'Travelled')
  expect(await api.get(`/chatflows/${imported?.id}/sources`)).toEqual(sources)
})

test('a file that replaces the drawing leaves the flow its own source files', async ({ page, api }) => {
  const sourceOf = (text: string) => [{ name: 'agents/root.yaml', data: Buffer.from(text).toString('base64') }]
  const flow = await draw(api, [start(), reply('Hello')])
  const { id } = await api.createFlow('Keeps its sources', flow)
  await api.put(`/chatflows/${id}`, { flowData: JSON.stringify(flow), sources: sourceOf('name: own') })
  await page.goto(`/v2/agentcanvas/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Import from a file' }).click()
  const imported = { ...(await draw(api, [start()])), sources: sourceOf('name: imported') }
  await (await chooser).setFiles(jsonFile('Other Agents.json', imported))
  const dialog = page.getByRole('dialog', { name: 'Import “Other”' })
  await expect(dialog).toContainText('The source file of this design stays behind: only the drawing is replaced.')
  await expect(dialog).toContainText('This flow keeps its own source file, which describes the previous drawing.')
  await dialog.getByRole('button', { name: 'Replace this flow' }).click()
  await expect(nodes(page)).toHaveCount(1)
  await save(page)
  expect(await api.get(`/chatflows/${id}/sources`)).toEqual(sourceOf('name: own'))
})

test('deleting a flow names the flows that call it', async ({ page, api }) => {
  const { id } = await api.createFlow('Callee', await draw(api, [start(), reply('Hello')]))
  const call = { name: 'executeFlowAgentflow', label: 'Call', inputs: { executeFlowSelectedFlow: id } }
  await api.createFlow('Caller', await draw(api, [start(), call]))
  await page.goto('/agentflows')
  await choose(page, 'Callee', 'Delete')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Used by Caller. It will fail until you choose another flow.')
})

test('cards or table is remembered, and both open the flow', async ({ page, api }) => {
  await api.createFlow('Seen both ways', await draw(api, [start(), reply('Hello')]))
  await page.goto('/agentflows')
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page.getByRole('table')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('row', { name: /Seen both ways/ })).toBeVisible()
  await page.getByRole('button', { name: 'Cards' }).click()
  await expect(page.getByRole('table')).toBeHidden()
  await flowLink(page, 'Seen both ways').click()
  await expect(page.getByRole('textbox', { name: 'Flow name' })).toHaveValue('Seen both ways')
  await page.getByRole('link', { name: 'All agent flows' }).click()
  await expect(page).toHaveURL('/agentflows')
})

test('a flow leaves as a file and comes back from it; anything else is refused', async ({ page, api }) => {
  const { id } = await api.createFlow('On a journey', await draw(api, [start(), reply('Hello')]))
  await page.goto('/agentflows')
  const leaving = page.waitForEvent('download')
  await choose(page, 'On a journey', 'Export')
  const download = await leaving
  expect(download.suggestedFilename()).toBe('On a journey Agents.json')
  const file = await download.path()
  expect(JSON.parse(await readFile(file, 'utf8')).nodes).toHaveLength(2)

  const input = page.getByLabel('Flow file')
  await input.setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') })
  await expect(toast(page, /Failed to import: Invalid Imported File/)).toBeVisible()

  await input.setInputFiles({
    name: 'Came back Agents.json',
    mimeType: 'application/json',
    buffer: await readFile(file),
  })
  await expect(page.getByRole('dialog', { name: 'Import “Came back”' })).toContainText('2 nodes')
  await page.getByRole('button', { name: 'Import and open' }).click()
  await expect(page.getByRole('textbox', { name: 'Flow name' })).toHaveValue('Came back')
  const [, imported = ''] = /agentcanvas\/(.+)$/.exec(page.url()) ?? []
  expect(imported).not.toBe(id)
  expect((await api.readFlow(imported)).edges).toEqual((await api.readFlow(id)).edges)
})
