import { ask, messages, openCanvas, openChat, openSettings } from '../support/canvas.ts'
import { draw, llm, start } from '../support/draw.ts'
import { expect, expectStatus, test, toast } from '../support/test.ts'

const SECRET = 'sk-secret-of-the-weaver-1234567890'

test('a credential is kept, replaced and deleted, and its secret is never shown again', async ({ page, api }) => {
  const answers: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/v1/')) answers.push(response.text().catch(() => ''))
  })

  await page.goto('/credentials')
  await page.getByRole('button', { name: 'New credential' }).first().click()
  const form = page.getByRole('dialog', { name: 'New credential' })
  await form.getByRole('searchbox', { name: 'Search services' }).fill('compatible')
  await expect(form.getByRole('button', { name: /API|Auth/ })).toHaveCount(1)
  await form.getByRole('button', { name: /^OpenAI API/ }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('heading', { name: 'Fix the following:' })).toBeVisible()
  await form.getByLabel('Name').fill('Team account')
  const secret = form.getByLabel('OpenAI API key')
  await expect(secret).toHaveAttribute('type', 'password')
  await secret.fill(SECRET)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(toast(page, 'Credential created')).toBeVisible()
  await expect(page.getByRole('row', { name: /Team account/ })).toContainText('OpenAI API')

  await page.reload()
  await page.getByRole('button', { name: 'Actions for Team account' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: /^Edit .* credential$/ })
  await expect(edit.getByText('stored, not shown')).toBeVisible()
  await expect(edit.locator('input[type=password]')).toHaveCount(0)
  await edit.getByLabel('Name').fill('Team account, EU')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Team account, EU/ })).toBeVisible()

  await page.getByRole('button', { name: 'Actions for Team account, EU' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await edit.getByRole('button', { name: 'Replace OpenAI API key' }).click()
  await expect(edit.getByLabel('OpenAI API key')).toBeFocused()
  await expect(edit.getByLabel('OpenAI API key')).toHaveValue('')
  await edit.getByLabel('OpenAI API key').fill(`${SECRET}-new`)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Credential saved').first()).toBeVisible()

  const [stored] = await api.get<{ id: string }[]>('/credentials')
  expect(JSON.stringify(await api.get(`/credentials/${stored?.id}`))).not.toContain(SECRET)
  expect((await Promise.all(answers)).join('\n')).not.toContain(SECRET)
  expect(await page.content()).not.toContain(SECRET)

  await page.getByRole('button', { name: 'Actions for Team account, EU' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No credentials yet')).toBeVisible()
})

test('unsaved changes ask before they are lost', async ({ page }) => {
  await page.goto('/credentials')
  await page.getByRole('button', { name: 'New credential' }).first().click()
  const form = page.getByRole('dialog', { name: 'New credential' })
  await form.getByRole('button', { name: /^Tavily API/ }).click()
  await form.getByLabel('Name').fill('Half done')
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(form.getByLabel('Name')).toHaveValue('Half done')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(form).toBeHidden()
})

test('credentials of the same name are told apart by when they were created, where they are chosen too', async ({
  page,
  api,
}) => {
  const credential = { name: 'Shared', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: SECRET } }
  const first = await api.post<{ id: string }>('/credentials', credential)
  const second = await api.post<{ id: string }>('/credentials', credential)
  await page.goto('/credentials')
  const row = page.getByRole('row', { name: /^Shared \(created .+\) / })
  await expect(row).toHaveCount(2)
  await page.goto('/assistants/openai')
  await page.getByRole('button', { name: 'New assistant' }).first().click()
  const choices = page.getByRole('dialog').getByLabel('Credential', { exact: true }).getByRole('option')
  await expect(choices.filter({ hasText: /^Shared \(created .+\)$/ })).toHaveCount(2)
  for (const { id } of [first, second]) await api.delete(`/credentials/${id}`)
})

test('a key is tested where its node sends it, goes there, and goes nowhere else', async ({ page, api, model }) => {
  const flowData = JSON.stringify(await draw(api, [start(), llm(model.baseUrl)]))
  const { id } = await api.post<{ id: string }>('/chatflows', { name: 'Gateway', flowData, type: 'AGENTFLOW' })
  await openCanvas(page, id)
  const node = await openSettings(page, 'LLM')
  await node.getByRole('button', { name: 'New credential' }).click()
  const form = page.getByRole('dialog', { name: 'New credential' })
  await form.getByLabel('Name').fill('Gateway key')
  await form.getByLabel('OpenAI API key').fill(SECRET)
  await expect(form.getByText(`The secret goes to ${model.host}.`)).toBeVisible()
  await expect(form.getByText('Always: api.openai.com.')).toBeVisible()
  await expect(form.getByLabel('More hosts (optional)')).toHaveValue(model.host)
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await expectStatus(form, `${model.host} accepts it.`)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form).toBeHidden()
  await openChat(page)
  await ask(page, 'Are you there?')
  await expect(messages(page)).toContainText('You said: Are you there?')
  const keys = () => model.requests.map(({ path, headers }) => [path, headers.authorization])
  expect(keys()).toEqual([
    ['/v1/models', `Bearer ${SECRET}`],
    ['/v1/chat/completions', `Bearer ${SECRET}`],
  ])

  const elsewhere = model.host.replace('127.0.0.1', 'localhost')
  const moved = await openSettings(page, 'LLM')
  await moved.getByRole('textbox', { name: 'Base path' }).fill(`http://${elsewhere}/v1`)
  await openChat(page)
  await ask(page, 'And there?')
  await expect(messages(page)).toContainText(`The credential “Gateway key” may not be sent to ${elsewhere}.`)
  expect(keys()).toHaveLength(2)
  const made = (await api.get<{ id: string; name: string }[]>('/credentials')).find(
    ({ name }) => name === 'Gateway key',
  )
  await api.delete(`/credentials/${made?.id}`)
})
