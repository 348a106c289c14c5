import type { Locator } from '@playwright/test'
import { lastRun } from '../support/api.ts'
import {
  ask,
  chooseScripted,
  dock,
  dragIn,
  flowIdOf,
  flowName,
  join,
  messages,
  nodeOf,
  openBlankCanvas,
  openCanvas,
  openChat,
  openSettings,
  save,
} from '../support/canvas.ts'
import { expect, expectAccessible, test } from '../support/test.ts'
import { openStep } from '../support/trace.ts'

test('a tool is written, tried and called by an agent, and missed when it is deleted', async ({ page, api, model }) => {
  await page.goto('/tools')
  await page.getByRole('button', { name: 'New tool' }).first().click()
  const form = page.getByRole('dialog', { name: 'New tool' })
  await form.getByLabel('Name', { exact: true }).fill('shout')
  await form.getByLabel('Description', { exact: true }).fill('Says a text loudly')
  await form.getByRole('button', { name: 'Add parameter' }).click()
  await form.getByLabel('Name of parameter 1').fill('text')
  const code = form.getByRole('textbox', { name: 'JavaScript function' })
  await code.fill('return $text.toUpperCase() + "!"')
  await form.getByRole('textbox', { name: 'Test arguments' }).fill('{ "text": "hello" }')
  await form.getByRole('button', { name: 'Run' }).click()
  await expect(form.getByRole('region', { name: 'Test' })).toContainText('HELLO!')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('row', { name: /^shout / })).toContainText('Says a text loudly')

  await openBlankCanvas(page)
  await dragIn(page, 'Agent', [300, 120])
  await join(page, 'Start', 'Agent 0')
  const agent = await openSettings(page, 'Agent 0', 'Herald')
  await chooseScripted(agent, model.baseUrl)
  await agent.getByRole('button', { name: 'Add tool' }).click()
  await agent.getByRole('combobox', { name: 'Tool', exact: true }).selectOption('customTool')
  await agent.getByRole('combobox', { name: 'Select tool' }).selectOption({ label: 'shout' })
  await expect(page.getByRole('button', { name: 'Checklist: 0 issues' })).toBeVisible()
  await flowName(page).fill('Town square')
  await save(page)
  const flowId = flowIdOf(page)

  await openChat(page)
  model.reply({ toolCalls: [{ name: 'shout', arguments: { text: 'good news' } }] }, { text: 'It is announced' })
  await ask(page, 'Tell everyone')
  await expect(messages(page)).toContainText('It is announced')
  await page.goto(`/executions/${(await lastRun(api, flowId)).id}`)
  await expect(await openStep(page, 'Herald')).toContainText('GOOD NEWS!')

  await page.goto('/tools')
  await page.getByRole('button', { name: 'Actions for shout', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const asking = page.getByRole('alertdialog')
  await expect(asking).toContainText('Used by Town square. It will fail until you choose another tool.')
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('row', { name: /^shout / })).toBeHidden()
  await openCanvas(page, flowId)
  await page.getByRole('button', { name: 'Checklist: 1 issue' }).click()
  await expect(dock(page)).toContainText('The chosen tool no longer exists. Choose another one')
  await expect(nodeOf(page, 'Herald')).toBeVisible()
})

test('a tool is changed and tried on a phone', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const schema = JSON.stringify([{ id: 1, property: 'name', description: 'Whom', type: 'string', required: true }])
  const description = 'Greets a person by their name, in the language of the house'
  await api.post('/tools', { name: 'greet_visitor', description, schema, func: 'return "Hello " + $name' })
  await page.goto('/tools')
  await expect(page.getByText('greet_visitor').first()).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.getByRole('button', { name: 'Actions for greet_visitor' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit tool' })
  await form.getByRole('textbox', { name: 'JavaScript function' }).fill('return "Welcome " + $name')
  await form.getByRole('textbox', { name: 'Test arguments' }).fill('{ "name": "Ada" }')
  await form.getByRole('button', { name: 'Run' }).click()
  await expect(form.getByRole('region', { name: 'Test' })).toContainText('Welcome Ada')
  await expectAccessible(page)
  expect(await form.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBeLessThanOrEqual(0)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
})

test('an MCP server that does not answer is told apart from one without tools', async ({ page, api }) => {
  const server = { name: 'Silent', serverUrl: 'http://localhost:1/mcp' }
  const { id } = await api.post<{ id: string }>('/custom-mcp-servers', server)
  await page.goto('/tools?tab=mcp')
  await page.getByRole('button', { name: 'Actions for Silent' }).click()
  await page.getByRole('menuitem', { name: 'Check' }).click()
  const row = page.getByRole('row', { name: /^Silent/ })
  await expect(row).toContainText('Failed')
  await expect(row.getByRole('cell', { name: '–', exact: true })).toBeVisible()
  await expect(row.getByTitle(/^Could not connect to the MCP server/)).toBeVisible()
  await api.delete(`/custom-mcp-servers/${id}`)
})

test('a long name stays in its cell, and in the dialog that offers it', async ({ page, api }) => {
  const name = 'a_name_that_does_not_end_'.repeat(6)
  const tool = await api.post<{ id: string }>('/tools', { name, description: 'Long', schema: '[]', func: 'return 1' })
  const overflow = (part: Locator) => part.evaluate((element) => element.scrollWidth - element.clientWidth)
  for (const width of [1400, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/tools')
    const cell = page.getByRole('cell', { name, exact: true })
    await expect(cell).toBeVisible()
    expect(await overflow(cell)).toBe(0)
    expect((await cell.boundingBox())?.height, 'two lines').toBeLessThan(80)
    await page.goto('/assistants/openai')
    await page.getByRole('button', { name: 'New assistant' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New assistant' })
    await expect(dialog.getByText(name)).toBeVisible()
    expect(await overflow(dialog)).toBe(0)
  }
  await api.delete(`/tools/${tool.id}`)
})
