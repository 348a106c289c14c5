import { lastRun } from '../support/api.ts'
import {
  approvalRequest,
  ask,
  chooseScripted,
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
import { draw, drawApproval, guardedAgent, start } from '../support/draw.ts'
import { comeBackTo, expect, expectAccessible, test, toast } from '../support/test.ts'

test('an approval flow is built with the mouse; a person approves in the chat, a program rejects', async ({
  page,
  api,
  model,
}) => {
  await openBlankCanvas(page)
  await dragIn(page, 'LLM', [300, 80])
  await dragIn(page, 'Human Input', [300, 200])
  await dragIn(page, 'Direct Reply', [560, 120])
  await dragIn(page, 'Direct Reply', [560, 320])
  await join(page, 'Start', 'LLM 0')
  await join(page, 'LLM 0', 'Human Input 0')
  await join(page, 'Human Input 0', 'Direct Reply 0', 0)
  await join(page, 'Human Input 0', 'Direct Reply 1', 1)
  await chooseScripted(await openSettings(page, 'LLM 0', 'Writer'), model.baseUrl)
  const editor = await openSettings(page, 'Human Input 0', 'Editor')
  await editor.getByRole('combobox', { name: 'Description type' }).selectOption('Fixed')
  await editor.getByRole('textbox', { name: 'Description' }).fill('Print this?')
  const printed = await openSettings(page, 'Direct Reply 0', 'Press')
  await printed.getByRole('textbox', { name: 'Message' }).fill('Printed: {{ llmAgentflow_0 }}')
  const back = await openSettings(page, 'Direct Reply 1', 'Desk')
  await back.getByRole('textbox', { name: 'Message' }).fill('Sent back: {{ humanInputAgentflow_0 }}')
  await expect(page.getByRole('button', { name: 'Checklist: 0 issues' })).toBeVisible()
  await flowName(page).fill('Headlines')
  await save(page)
  const flowId = flowIdOf(page)

  await openChat(page)
  model.reply({ text: 'Spring has sprung' }, { text: 'Leaves leave' })
  await ask(page, 'A headline for spring')
  await expect(approvalRequest(page, 'Editor')).toContainText(/Spring has sprung.*Print this\?/s)
  await expect(nodeOf(page, 'Editor')).toContainText('Waiting for approval')
  await approvalRequest(page, 'Editor').getByRole('button', { name: 'Proceed' }).click()
  await expect(messages(page)).toContainText('Printed: Spring has sprung')
  await expect(approvalRequest(page, 'Editor')).toBeHidden()
  await expect(nodeOf(page, 'Desk').locator('[data-status]')).toHaveCount(0)

  await ask(page, 'A headline for autumn')
  await expect(approvalRequest(page, 'Editor')).toContainText('Leaves leave')
  const { id, chatId } = await lastRun(api, flowId)
  const trace = await page.context().newPage()
  await trace.goto(`/executions/${id}`)
  await expect(trace.getByText('Waiting').first()).toBeVisible()

  const { apiKey } = await api.post<{ apiKey: string }>('/apikey', {
    keyName: 'Newsroom',
    permissions: ['agentflows:view'],
  })
  const rejected = await page.request.post(`/api/v1/prediction/${flowId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
    data: { chatId, humanInput: { type: 'reject', feedback: 'Too dull', executionId: id } },
  })
  expect(await rejected.json()).toMatchObject({ text: 'Sent back: Too dull', executionId: id })

  await comeBackTo(page)
  await expect(messages(page)).toContainText('Sent back: Too dull')
  await expect(approvalRequest(page, 'Editor')).toBeHidden()
  await trace
    .getByRole('group', { name: 'Editor needs your approval' })
    .getByRole('button', { name: 'Proceed' })
    .click()
  await expect(toast(trace, /already answered/)).toBeVisible()
  await expect(trace.getByRole('heading', { level: 1 }).locator('..')).toContainText('Finished')
  await expect(trace.getByRole('navigation', { name: 'Steps' })).toContainText('Desk')
})

test('whoever has the link of a shared run may answer it, until it is not shared any more', async ({
  page,
  api,
  model,
  browser,
}) => {
  const { id: flowId } = await api.createFlow('Asked of all', await drawApproval(api, model.baseUrl))
  const visitor = await (await browser.newContext({ storageState: undefined })).newPage()
  const question = visitor.getByRole('group', { name: 'Editor needs your approval' })
  const beginShared = async () => {
    await api.post(`/prediction/${flowId}`, { question: 'A headline' })
    const { id } = await lastRun(api, flowId)
    await api.put(`/executions/${id}`, { isPublic: true })
    await visitor.goto(`/execution/${id}`)
    await expect(question).toContainText('Print this?')
    return id
  }

  const answered = await beginShared()
  await question.getByLabel('Comment').fill('From a reader')
  await question.getByRole('button', { name: 'Proceed' }).click()
  const press = visitor.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: /Press/ })
  await expect(press).toContainText('Finished')
  await page.goto(`/executions/${answered}`)
  await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText('Finished')
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: /Editor/ })
    .click()
  await expect(page.getByRole('region', { name: 'Step Editor' })).toContainText('From a reader')

  const withdrawn = await beginShared()
  await api.put(`/executions/${withdrawn}`, { isPublic: false })
  await question.getByRole('button', { name: 'Reject' }).click()
  await expect(toast(visitor, /Couldn’t send your answer/)).toBeVisible()
  await expect(visitor.getByText('It was deleted or is no longer shared.')).toBeVisible()
  expect(await lastRun(api, flowId)).toMatchObject({ id: withdrawn, state: 'STOPPED' })
  await visitor.context().close()
})

test('a tool is allowed and declined in a sentence on a phone, and the run says who decided what', async ({
  page,
  api,
  model,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id: flowId } = await api.createFlow('Sums', await draw(api, [start(), guardedAgent(model.baseUrl)]))
  const wants = (input: string) => ({ text: 'Let me see.', toolCalls: [{ name: 'calculator', arguments: { input } }] })
  model.reply(wants('6*7'), { text: 'It is 42.' }, wants('6/0'), { text: 'Then I guess.' })
  await openCanvas(page, flowId)
  await openChat(page)
  await ask(page, 'How much is six times seven?')
  const card = approvalRequest(page, 'Clerk')
  await expect(card).toContainText('Clerk wants to use Calculator')
  await expect(card.getByRole('row', { name: 'input 6*7' })).toBeVisible()
  await expect(messages(page).getByText('Let me see.')).toHaveCount(1)
  await expect(messages(page)).not.toContainText('"name"')
  expect((await card.boundingBox())?.width).toBeLessThanOrEqual(390)
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Allow' }).click()
  await expect(messages(page)).toContainText('It is 42.')
  await expect(messages(page)).toContainText('Allowed Calculatorby you')
  await expect(messages(page)).toContainText('Clerk asked to use Calculator')

  await ask(page, 'And by zero?')
  await card.getByLabel('Comment').fill('Not by zero')
  await card.getByRole('button', { name: 'Decline' }).click()
  await expect(messages(page)).toContainText('Then I guess.')

  await page.reload()
  await openChat(page)
  await expect(messages(page)).toContainText('Allowed Calculatorby you')
  await expect(messages(page)).toContainText('Not by zero')
  await expect(messages(page)).not.toContainText('"name"')

  const { id } = await lastRun(api, flowId)
  await page.goto(`/executions/${id}`)
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await expect(steps.getByRole('list', { name: 'Tools used' })).toHaveText('Calculator (declined)')
  await steps.getByRole('button', { name: /Clerk/ }).click()
  const approvals = page.getByRole('list', { name: 'Approvals' })
  await expect(approvals).toContainText('Declined Calculatorby you')
  await expect(approvals).toContainText('Not by zero')
  await approvals.getByText('Clerk asked to use Calculator').click()
  await expect(approvals.getByRole('row', { name: 'input 6/0' })).toBeVisible()
  await expectAccessible(page)
})
