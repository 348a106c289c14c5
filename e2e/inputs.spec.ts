import { nodeOf, openCanvas, save, settings } from './support/canvas.ts'
import { draw, start } from './support/draw.ts'
import { expect, test } from './support/test.ts'

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
  await tools.getByText('Code Interpreter', { exact: true }).click()
  await expect(tools.getByRole('checkbox', { name: 'Code Interpreter', exact: true })).toBeChecked()
  await expect(tools.getByRole('checkbox', { name: 'Web Search', exact: true })).not.toBeChecked()
  await tools.getByRole('checkbox', { name: 'Image Generation', exact: true }).press('Space')
  await save(page)
  const stored = (await api.readFlow(id)).nodes.find(({ data }) => data.label === 'Agent')
  expect(JSON.stringify(stored?.data.inputs)).toContain('code_interpreter')
  expect(JSON.stringify(stored?.data.inputs)).toContain('image_generation')
  expect(JSON.stringify(stored?.data.inputs)).not.toContain('web_search')
})
