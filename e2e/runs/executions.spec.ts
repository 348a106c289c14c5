import { draw, llm, reply, start } from '../support/draw.ts'
import { expect, setCheckbox, test, toast } from '../support/test.ts'

test('an execution shows each step with input, output, tokens, cost, and its link leads to the step', async ({
  page,
  api,
  model,
}) => {
  const parts = [start(), llm(model.baseUrl, 'Weaver'), reply('Done: {{ llmAgentflow_0 }}', 'Answer')]
  const { id } = await api.createFlow('Seen afterwards', await draw(api, parts))
  model.reply({ text: 'A fine cloth', usage: { prompt_tokens: 1200, completion_tokens: 34 } })
  await api.post(`/prediction/${id}`, { question: 'Weave me something' })

  await page.goto('/executions?agentflowName=Seen+afterwards')
  const row = page.getByRole('row', { name: /Seen afterwards/ })
  await expect(row).toContainText('Finished')
  // A hover reaches what says more, though the whole row is a link.
  await row.getByTitle('1234 tokens').hover()
  await row.getByRole('time').filter({ visible: true }).hover()
  await expect(row.getByTitle('1234 tokens')).toHaveText('1.2k')
  await expect(row).toContainText('Done: A fine cloth')
  await expect(row).toContainText('API')
  await row.getByRole('link', { name: 'Weave me something' }).click()

  await expect(page.getByRole('heading', { name: 'Seen afterwards', level: 1 })).toBeVisible()
  const reading = page.getByRole('region', { name: 'Question and answer' })
  await expect(reading).toContainText('Weave me something')
  await expect(reading).toContainText('Done: A fine cloth')
  const steps = page.getByRole('navigation', { name: 'Steps' }).getByRole('button')
  await expect(steps).toHaveCount(3)
  await steps.filter({ hasText: 'Weaver' }).click()
  const step = page.getByRole('region', { name: 'Step Weaver' })
  await expect(step).toContainText('1200 tokens in, 34 out')
  await expect(step).toContainText('A fine cloth')
  await expect(step.getByLabel('Input')).toContainText('Weave me something')

  await page.reload()
  await expect(step).toBeVisible()
  await steps.filter({ hasText: 'Start' }).click()
  await page.getByRole('tree', { name: 'Input' }).press('ArrowDown')
  await expect(page.getByRole('treeitem', { name: 'question: Weave me something' }).first()).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expect(page.getByRole('button', { name: 'Copy path' })).toBeVisible()
  await steps.filter({ hasText: 'Answer' }).click()
  await expect(page.getByRole('region', { name: 'Step Answer' })).toContainText('Done: A fine cloth')
})

test('a failed step says what went wrong', async ({ page, api, model }) => {
  const { id } = await api.createFlow('Broken thread', await draw(api, [start(), llm(model.baseUrl, 'Weaver')]))
  model.reply({ error: { status: 400, message: 'The thread broke' } })
  await expect(api.post(`/prediction/${id}`, { question: 'Weave' })).rejects.toThrow('The thread broke')
  await page.goto('/executions?agentflowName=Broken+thread')
  await expect(page.getByRole('row', { name: /Broken thread/ })).toContainText('Failed')
  await page.getByRole('link', { name: 'Weave', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: /Weaver/ })
    .click()
  await expect(page.getByRole('region', { name: 'Step Weaver' })).toContainText('The thread broke')
})

test('an execution is seen by visitors while it is shared, and not otherwise', async ({ page, api, browser }) => {
  const { id } = await api.createFlow('For everybody', await draw(api, [start(), reply('Seen by all', 'Answer')]))
  await api.post(`/prediction/${id}`, { question: 'Hello' })
  await page.goto('/executions?agentflowName=For+everybody')
  await page.getByRole('link', { name: 'Hello', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'For everybody', level: 1 })).toBeVisible()
  await expect(page.getByText('0 tokens')).toBeVisible()
  const [, execution = ''] = /\/executions\/([\w-]+)/.exec(page.url()) ?? []

  const visitor = await (await browser.newContext({ storageState: undefined })).newPage()
  const look = () => visitor.goto(`/execution/${execution}`)
  await look()
  await expect(visitor.getByText('It was deleted or is no longer shared.')).toBeVisible()

  await page.getByText('Let anyone with the link view').click()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await look()
  await expect(visitor.getByRole('heading', { name: 'For everybody', level: 1 })).toBeVisible()
  await visitor
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: /Answer/ })
    .click()
  await expect(visitor.getByRole('region', { name: 'Step Answer' })).toContainText('Seen by all')
  await expect(visitor.getByText('Let anyone with the link view')).toBeHidden()
  await expect(visitor.getByText('tokens')).toHaveCount(0)

  await page.getByText('Let anyone with the link view').click()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeHidden()
  await look()
  await expect(visitor.getByText('It was deleted or is no longer shared.')).toBeVisible()
  await visitor.context().close()
})

test('executions are filtered and deleted', async ({ page, api }) => {
  const { id } = await api.createFlow('Run three times', await draw(api, [start(), reply('Hello')]))
  for (const chatId of ['one', 'two', 'three']) await api.post(`/internal-prediction/${id}`, { question: 'Hi', chatId })
  await page.goto('/executions')
  await page.getByLabel('Flow', { exact: true }).fill('Run three times')
  await page.keyboard.press('Enter')
  const rows = page.getByRole('row', { name: /Run three times/ })
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByLabel('Status').selectOption('Failed')
  await expect(rows).toHaveCount(0)
  await page.getByLabel('Status').selectOption('Finished')
  await page.getByLabel('Session').fill('two')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(1)

  await setCheckbox(page.getByRole('checkbox', { name: 'Select the run Hi' }), true)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('alertdialog', { name: 'Delete this execution?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(rows).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await page.getByLabel('Flow', { exact: true }).fill('Run three times')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(toast(page, /deleted/)).toHaveCount(0)
})
