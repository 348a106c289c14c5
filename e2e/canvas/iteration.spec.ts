import { lastRun } from '../support/api.ts'
import {
  ask,
  chooseScripted,
  dragIn,
  flowIdOf,
  join,
  messages,
  nodeOf,
  openBlankCanvas,
  openChat,
  openSettings,
} from '../support/canvas.ts'
import { expect, test } from '../support/test.ts'
import { openStep, steps } from '../support/trace.ts'

test('nodes are put into an iteration with the mouse, run for each item, and show below it', async ({
  page,
  api,
  model,
}) => {
  await openBlankCanvas(page)
  const container = nodeOf(page, 'Iteration 0')
  await dragIn(page, 'Iteration', [260, 60])
  await dragIn(page, 'LLM', [300, 140])
  await expect(container).toContainText('1 node inside')
  await dragIn(page, 'Direct Reply', [300, 480])
  await expect(container).toContainText('1 node inside')
  await nodeOf(page, 'Direct Reply 0').dragTo(container, { targetPosition: { x: 200, y: 225 }, steps: 5 })
  await expect(container).toContainText('2 nodes inside')
  await dragIn(page, 'Direct Reply', [600, 300])
  await join(page, 'Start', 'Iteration 0')
  await join(page, 'LLM 0', 'Direct Reply 0')
  await join(page, 'Iteration 0', 'Direct Reply 1')

  const weaver = await openSettings(page, 'LLM 0', 'Weaver')
  await chooseScripted(weaver, model.baseUrl)
  await weaver.getByRole('textbox', { name: 'Input message' }).fill('Weave {{ $iteration }}')
  const each = await openSettings(page, 'Direct Reply 0', 'Each')
  await each.getByRole('textbox', { name: 'Message' }).fill('<{{ llmAgentflow_0 }}>')
  const all = await openSettings(page, 'Direct Reply 1', 'All')
  await all.getByRole('textbox', { name: 'Message' }).fill('All: {{ iterationAgentflow_0 }}')
  await container.click({ position: { x: 60, y: 20 } })
  await page.getByRole('textbox', { name: 'Array input' }).fill('["warp", "weft"]')
  await expect(page.getByRole('button', { name: 'Checklist: 0 issues' })).toBeVisible()

  await openChat(page)
  model.reply({ text: 'up and down' }, { text: 'to and fro' })
  await ask(page, 'Go')
  await expect(messages(page)).toContainText(/All: .*up and down.*to and fro/s)
  await expect(container).toContainText('2 items')
  expect(model.requests.map(({ body }) => body.messages.at(-1)?.content)).toEqual(['Weave warp', 'Weave weft'])

  await page.goto(`/executions/${(await lastRun(api, flowIdOf(page))).id}`)
  await expect(steps(page)).toHaveText([/Start/, /Iteration 0/, /Weaver/, /Each/, /Weaver/, /Each/, /All/])
  await expect(page.getByRole('navigation', { name: 'Steps' })).toContainText(/Item 1: warp.*Item 2: weft/s)
  await expect(await openStep(page, 'Weaver')).toContainText('up and down')
  await expect(page).toHaveURL(/llmAgentflow_0%40iterationAgentflow_0%5B0%5D/)
})
