import { lastRun } from '../support/api.ts'
import { ask, messages, nodeOf, openCanvas, openChat } from '../support/canvas.ts'
import { draw, llm, reply, start } from '../support/draw.ts'
import { expect, test, toast } from '../support/test.ts'
import { figures, steps } from '../support/trace.ts'

test('a run that reaches a limit of its flow ends, and everybody is told which', async ({ page, api, model }) => {
  const parts = [start(), llm(model.baseUrl, 'Writer'), llm(model.baseUrl, 'Critic'), reply('Never said')]
  const { id } = await api.createFlow('Limited', await draw(api, parts))
  await openCanvas(page, id)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Run limits' }).click()
  const limits = page.getByRole('dialog', { name: 'Run limits' })
  const most = limits.getByRole('group', { name: 'This flow' }).getByLabel('Steps')
  await most.fill('none')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await expect(limits.getByText('Steps: enter a whole number above 0, or leave it empty.').first()).toBeVisible()
  await most.fill('2')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await expect(toast(page, 'Limits saved')).toBeVisible()

  await openChat(page)
  await ask(page, 'Write without end')
  const told = /limit of 2 steps/
  await expect(messages(page)).toContainText(told)
  await expect(messages(page)).not.toContainText('Never said')
  await expect(nodeOf(page, 'Writer').locator('[data-status=FINISHED]')).toBeVisible()
  expect(model.requests).toHaveLength(1)

  await page.goto(`/executions/${(await lastRun(api, id)).id}`)
  await expect(figures(page)).toContainText('Stopped: step limit')
  await expect(page.getByText(told)).toBeVisible()
  await expect(steps(page)).toHaveText([/Start.*Finished/, /Writer.*Finished/])
})
