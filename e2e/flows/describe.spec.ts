import { ask, chooseScripted, edges, messages, nodeOf, nodes, openCanvas, openChat } from '../support/canvas.ts'
import { expect, expectAccessible, test, toast } from '../support/test.ts'

/** What a model answers when it is asked for the plan of a flow. */
const plan = {
  steps: [
    { id: 'start', type: 'startAgentflow', label: 'Start', inside: '', inputs: [] },
    {
      id: 'poet',
      type: 'llmAgentflow',
      label: 'Poet',
      inside: '',
      inputs: [{ name: 'llmMessages', value: '[{"role":"system","content":"Answer in verse."}]' }],
    },
    {
      id: 'say',
      type: 'directReplyAgentflow',
      label: 'Say it',
      inside: '',
      inputs: [{ name: 'directReplyMessage', value: 'In verse: {{ poet }}' }],
    },
  ],
  links: [
    { from: 'start', output: 0, to: 'poet' },
    { from: 'poet', output: 0, to: 'say' },
  ],
}

test('a description becomes a proposal, the proposal becomes a flow, and the flow runs', async ({ page, model }) => {
  await openCanvas(page)
  await page.getByRole('button', { name: 'Describe what you want' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Describe what you want' })
  await dialog.getByLabel('What should this flow do?').fill('Answer every question in verse')
  await dialog.getByRole('combobox', { name: 'Model', exact: true }).selectOption('practiceModel')
  await expect(dialog).toContainText('The practice model can’t design flows.')
  await chooseScripted(dialog, model.baseUrl)
  await expect(dialog).not.toContainText('The practice model can’t design flows.')
  model.reply({ json: { steps: [], links: [{ from: 'a', output: 0, to: 'b' }] } }, { json: plan })
  await dialog.getByRole('button', { name: 'Propose a flow' }).click()

  const proposal = page.getByRole('dialog', { name: 'Proposed flow' })
  await expect(proposal.locator('.heddle-node[data-mark=added]')).toHaveText([/Poet/, /Say it/])
  await expect(proposal.getByRole('complementary', { name: 'Changes' })).toContainText('Poet')
  await expect(proposal.getByRole('group', { name: 'Legend' })).toHaveText(/^\d+ added\d+ removed$/)
  // The first plan could not run: the model was told so, and asked again.
  expect(model.requests).toHaveLength(2)
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('Answer every question in verse')
  await proposal.getByRole('button', { name: 'Apply' }).click()
  await expect(toast(page, /Applied\./)).toBeVisible()
  await expect(nodes(page)).toHaveCount(3)
  await expect(edges(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo build the flow from a description' }).click()
  await expect(nodes(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Redo build the flow from a description' }).click()

  model.reply({ text: 'Roses are red' })
  await openChat(page)
  await ask(page, 'Which colour are roses?')
  await expect(messages(page)).toContainText('In verse: Roses are red')
  await expect(nodeOf(page, 'Say it').locator('[data-status=FINISHED]')).toBeVisible()
  expect(model.requests[2]?.body.messages[0]).toMatchObject({ role: 'system', content: 'Answer in verse.' })
})

test('the only credential that fits chooses the model, and what is missing is said once', async ({ page, api }) => {
  // Other journeys of this worker may have left some.
  for (const { id } of await api.get<{ id: string }[]>('/credentials')) await api.delete(`/credentials/${id}`)
  await openCanvas(page)
  const describe = page.getByRole('button', { name: 'Describe what you want' }).first()
  const dialog = page.getByRole('dialog', { name: 'Describe what you want' })
  const model = dialog.getByRole('combobox', { name: 'Model', exact: true })
  await describe.click()
  await dialog.getByLabel('What should this flow do?').fill('Greet people')
  await dialog.getByRole('button', { name: 'Propose a flow' }).click()
  await expect(model).toBeFocused()
  await expect(dialog.getByText('Choose a model.')).toHaveCount(1)
  await expect(dialog).not.toContainText('Fix the following:')
  await expectAccessible(page)

  const key = { name: 'The only key', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk-only' } }
  const { id } = await api.post<{ id: string }>('/credentials', key)
  try {
    await openCanvas(page)
    await describe.click()
    await expect(model).toHaveValue('chatOpenAI')
    await expect(dialog.getByRole('combobox', { name: /credential/i })).toHaveValue(id)
  } finally {
    await api.delete(`/credentials/${id}`)
  }
})
