import type { Page } from '@playwright/test'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { nodeOf, openCanvas, openSettings, save, settings } from '../support/canvas.ts'
import { draw, start } from '../support/draw.ts'
import { expect, expectAccessible, holdBack, test } from '../support/test.ts'

const chosenModel = ({ nodes }: FlowDocument) =>
  (nodes.find(({ data }) => data.name === 'llmAgentflow')?.data.inputs?.llmModelConfig as Record<string, unknown>)
    ?.modelName

test('a model is chosen from the list, or named by hand when it is not in it', async ({ page, api }) => {
  const model = { llmModel: 'chatOpenAI', llmModelConfig: { llmModel: 'chatOpenAI', modelName: 'gpt-4.1' } }
  const flow = await draw(api, [start(), { name: 'llmAgentflow', label: 'Weaver', inputs: model }])
  const { id } = await api.createFlow('Any model', flow)
  await openCanvas(page, id)
  const node = await openSettings(page, 'Weaver')
  const field = node.getByRole('combobox', { name: 'Model name' })
  await field.click()
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options.nth(2)).toBeVisible()
  await expectAccessible(page)

  await field.fill('gpt-9-preview')
  await expect(options).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(field).toHaveValue('gpt-9-preview')
  await expectAccessible(page)
  await save(page)
  expect(chosenModel(await api.readFlow(id))).toBe('gpt-9-preview')

  await field.fill('mini')
  await expect(options.first()).toContainText('mini')
  const wanted = (await options.first().innerText()).trim()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue(wanted)
  await save(page)
  expect(chosenModel(await api.readFlow(id))).toBe(wanted)

  await page.reload()
  await openSettings(page, 'Weaver')
  await expect(field).toHaveValue(wanted)
})

test('a list keeps its label while its component is still loading', async ({ page, api }) => {
  const release = await holdBack(page, '**/assets/ComboboxInput-*.js')
  const loop = { name: 'loopAgentflow', label: 'Again', inputs: { loopBackToNode: 'startAgentflow_0-Start' } }
  const { id } = await api.createFlow('Slow list', await draw(api, [start(), loop]))
  await openCanvas(page, id)
  const node = await openSettings(page, 'Again')
  await expect(node.getByLabel(/^Loop back to/)).toBeDisabled()
  await expectAccessible(page)
  await release()
  await expect(node.getByRole('combobox', { name: /^Loop back to/ })).toBeEnabled()
})

test("each of a model's built-in tools can be chosen on its own", async ({ page, api }) => {
  const agent = {
    name: 'agentAgentflow',
    label: 'Agent',
    inputs: { agentModel: 'chatOpenAI', agentModelConfig: { agentModel: 'chatOpenAI', modelName: 'gpt-5' } },
  }
  const { id } = await api.createFlow('Built-in tools', await draw(api, [start(), agent]))
  await openCanvas(page, id)
  await nodeOf(page, 'Agent').click()
  const tools = settings(page, 'Agent').getByRole('group', { name: /built-in tools/i })
  await tools.getByText('Code interpreter', { exact: true }).click()
  await expect(tools.getByRole('checkbox', { name: 'Code interpreter', exact: true })).toBeChecked()
  await expect(tools.getByRole('checkbox', { name: 'Web search', exact: true })).not.toBeChecked()
  await tools.getByRole('checkbox', { name: 'Image generation', exact: true }).press('Space')
  await save(page)
  const stored = (await api.readFlow(id)).nodes.find(({ data }) => data.label === 'Agent')
  expect(JSON.stringify(stored?.data.inputs)).toContain('code_interpreter')
  expect(JSON.stringify(stored?.data.inputs)).toContain('image_generation')
  expect(JSON.stringify(stored?.data.inputs)).not.toContain('web_search')
})

/** The content of a text field as the browser hands it to screen readers. */
async function readAloud(page: Page, name: string): Promise<unknown> {
  const devtools = await page.context().newCDPSession(page)
  const { root } = await devtools.send('DOM.getDocument')
  const query = { nodeId: root.nodeId, accessibleName: name, role: 'textbox' }
  const { nodes } = await devtools.send('Accessibility.queryAXTree', query)
  await devtools.detach()
  return nodes[0]?.value?.value
}

test('a reference is a chip that is read by name, and the same text in the file', async ({ page, api }) => {
  const written = 'Dear {{ llmAgentflow_0 }}, not {{llmAgentflow_7}}'
  const flow = await draw(api, [
    start(),
    { name: 'llmAgentflow', label: 'Weaver' },
    { name: 'directReplyAgentflow', label: 'Reply', inputs: { directReplyMessage: written } },
  ])
  const { id } = await api.createFlow('Chips', flow)
  await openCanvas(page, id)
  await expect(nodeOf(page, 'Reply')).toContainText('Dear Weaver, not llmAgentflow_7 (missing)')
  const node = await openSettings(page, 'Reply')
  const message = node.getByRole('textbox', { name: 'Message' })
  await expect.poll(() => readAloud(page, 'Message')).toBe('Dear Weaver, not llmAgentflow_7 (missing)')
  await expectAccessible(page)

  await message.press('End')
  await message.pressSequentially(' or {{ques')
  await page.keyboard.press('Enter')
  await expect(message).toHaveText('Dear Weaver, not llmAgentflow_7 (missing) or Question')
  await save(page)
  const stored = async () => (await api.readFlow(id)).nodes.find(({ data }) => data.label === 'Reply')?.data.inputs
  expect((await stored())?.directReplyMessage).toBe(`${written} or {{question}}`)

  await message.press('Backspace')
  await expect(message).toHaveText('Dear Weaver, not llmAgentflow_7 (missing) or')
  await save(page)
  expect((await stored())?.directReplyMessage).toBe(`${written} or `)
})

test('references are chips in a JSON editor too, and text in code, which takes none', async ({ page, api }) => {
  const config = '{"name": {{ llmAgentflow_0 }}, "old": "{{llmAgentflow_7}}"}'
  const flow = await draw(api, [
    start(),
    { name: 'llmAgentflow', label: 'Weaver' },
    { name: 'executeFlowAgentflow', label: 'Call', inputs: { executeFlowOverrideConfig: config } },
    {
      name: 'customFunctionAgentflow',
      label: 'Code',
      inputs: { customFunctionJavascriptFunction: 'return "{{llmAgentflow_0}}"' },
    },
  ])
  const { id } = await api.createFlow('Chips in JSON', flow)
  await openCanvas(page, id)
  const node = await openSettings(page, 'Call')
  const editor = node.getByRole('textbox', { name: 'Override config' })
  const seen = '{"name": Weaver, "old": "llmAgentflow_7 (missing)"}'
  await expect(editor).toHaveText(seen)
  await expect.poll(() => readAloud(page, 'Override config')).toBe(seen)
  await expectAccessible(page)
  await openSettings(page, 'Weaver', 'Spinner')
  await openSettings(page, 'Call')
  await editor.press('Control+End')
  await editor.pressSequentially(' ')
  await expect(editor).toHaveText(seen.replace('Weaver', 'Spinner'))
  await save(page)
  const called = (await api.readFlow(id)).nodes.find(({ data }) => data.label === 'Call')
  expect(called?.data.inputs?.executeFlowOverrideConfig).toBe(`${config} `)

  const code = await openSettings(page, 'Code')
  await expect(code.getByRole('textbox', { name: /JavaScript/i })).toHaveText(/\{\{llmAgentflow_0\}\}/)
})
