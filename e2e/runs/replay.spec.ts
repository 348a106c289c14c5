import type { Locator, Page } from '@playwright/test'
import { lastRun } from '../support/api.ts'
import { ask, messages, nodeOf, openCanvas, openChat } from '../support/canvas.ts'
import { draw, llm, reply, start } from '../support/draw.ts'
import { expect, test } from '../support/test.ts'
import { figures, openStep, steps } from '../support/trace.ts'

/** Other words in the step's inputs, which stand there as JSON. */
async function edit(dialog: Locator, { from, to }: { from: string; to: string }) {
  const inputs = dialog.getByRole('textbox', { name: 'Step inputs' })
  await expect(inputs).toContainText(from)
  await inputs.fill((await inputs.innerText()).replace(from, to))
}

const step = (page: Page, label: string) =>
  page.getByRole('region', { name: 'Steps' }).getByRole('button', { name: label })

test('a run goes again from a step with other inputs; what came before costs nothing; both are compared', async ({
  page,
  api,
  model,
}) => {
  const parts = [
    start(),
    llm(model.baseUrl, 'Writer'),
    llm(model.baseUrl, 'Critic', { llmUserMessage: 'Be gentle.' }),
    reply('Verdict: {{ llmAgentflow_1 }}', 'Answer'),
  ]
  const { id: flowId } = await api.createFlow('Again', await draw(api, parts))
  const usage = { prompt_tokens: 100, completion_tokens: 20 }
  model.reply({ text: 'A poem', usage }, { text: 'Lovely', usage })
  await openCanvas(page, flowId)
  await openChat(page)
  await ask(page, 'Write a poem')
  await expect(messages(page)).toContainText('Verdict: Lovely')
  const first = await lastRun(api, flowId)

  model.reply({ text: 'Dreadful', usage })
  await nodeOf(page, 'Critic').click()
  await page.getByRole('tab', { name: 'Last run' }).click()
  await page.getByRole('button', { name: 'Replay…' }).click()
  const here = page.getByRole('dialog', { name: 'Replay from Critic' })
  await edit(here, { from: 'Be gentle.', to: 'Be harsh.' })
  await here.getByRole('button', { name: 'Replay' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Last run' })).toContainText('Dreadful')
  await expect(nodeOf(page, 'Answer').locator('[data-status=FINISHED]')).toBeVisible()
  expect(model.requests).toHaveLength(3)
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('Be harsh.')

  await expect.poll(async () => (await lastRun(api, flowId)).state).toBe('FINISHED')
  const second = await lastRun(api, flowId)
  await page.goto(`/executions/${second.id}`)
  await expect(figures(page)).toContainText('120 tokens')
  await expect(steps(page)).toHaveText([/Start.*reused/, /Writer.*reused/, /Critic.*120 tokens/, /Answer/])
  await expect(await openStep(page, 'Writer')).toContainText('at no cost')

  const answer = await openStep(page, 'Answer')
  await expect(answer).toContainText('Verdict: Dreadful')
  await answer.getByRole('button', { name: 'Replay from here' }).click()
  const again = page.getByRole('dialog', { name: 'Replay from Answer' })
  await edit(again, { from: 'Verdict', to: 'In short' })
  await again.getByRole('button', { name: 'Replay' }).click()
  await expect(page).not.toHaveURL(new RegExp(second.id))
  await expect(page.getByRole('region', { name: 'Step Answer' })).toContainText('In short')
  await expect(figures(page)).toContainText('0 tokens')
  expect(model.requests).toHaveLength(3)
  await page.getByRole('button', { name: 'Star the run of Again' }).click()
  await expect(page.getByRole('button', { name: 'Star the run of Again' })).toHaveAttribute('aria-pressed', 'true')

  await page.goto(`/executions/${second.id}`)
  await page.getByRole('link', { name: 'Compare with original' }).click()
  await expect(page).toHaveURL(new RegExp(`a=${first.id}&b=${second.id}`))
  await expect(page.getByRole('row', { name: /Tokens/ })).toContainText(/240.*120/)
  await expect(page.getByRole('region', { name: 'Answers' })).toContainText(/Lovely.*Dreadful/s)
  await expect(page.getByText('Both runs took the same path.')).toBeVisible()
  await expect(step(page, 'Writer')).toContainText('Same')
  await step(page, 'Critic').click()
  await expect(page.getByRole('region', { name: 'Steps' })).toContainText(/Lovely.*Dreadful/s)

  await page.goto('/executions?agentflowName=Again&isStarred=true')
  const row = (run: string) => page.getByRole('row').filter({ has: page.locator(`[href="/executions/${run}"]`) })
  await expect(row((await lastRun(api, flowId)).id)).toContainText('Replay')
  await expect(row(second.id)).toHaveCount(0)
})
