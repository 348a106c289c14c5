import type { Page } from '@playwright/test'
import { startAssistantsServer } from '#worker/areas/assistants/testing/assistants-server.ts'
import { ask, chat, chooseScripted, messages } from '../support/canvas.ts'
import { oauthPort } from '../support/ports.ts'
import { expect, expectAccessible, expectStatus, test, toast } from '../support/test.ts'

async function createAssistant(page: Page, name: string): Promise<void> {
  await page.goto('/assistants/custom')
  await page.getByRole('button', { name: 'New assistant' }).first().click()
  const form = page.getByRole('dialog', { name: 'New assistant' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('textbox', { name: 'Assistant name' })).toHaveValue(name)
}

test('an assistant is made, asked and published, and then answers a visitor with a key', async ({
  page,
  playwright,
  baseURL,
}) => {
  await createAssistant(page, 'Travel helper')
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('practiceModel')
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Plan short trips.')
  await page.getByLabel('Starter questions').fill('Where to go in May?')
  await chat(page).getByRole('button', { name: 'Where to go in May?' }).click()
  await expect(messages(page)).toContainText('My instructions are: “Plan short trips.”')
  await expectStatus(page, /Saved/)

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const asking = page.getByRole('dialog', { name: 'Publish this assistant?' })
  await asking.getByRole('button', { name: 'Publish' }).click()
  const panel = page.getByRole('dialog', { name: 'Share' })
  await expectStatus(panel, /^Published version/)
  const address = await panel.getByRole('textbox', { name: 'Address' }).inputValue()
  await panel.getByRole('button', { name: 'Create API key' }).click()
  await expect(panel.getByText('Copy it now')).toBeVisible()
  const code = await panel.getByLabel('curl code', { exact: true }).textContent()
  await panel.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('textbox', { name: 'Instructions' }).fill('Plan long trips.')
  await ask(page, 'And in June?')
  await expect(messages(page)).toContainText('“Plan long trips.”')
  const visitor = await playwright.request.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
  const data = { question: 'Where to?' }
  expect((await visitor.post(address, { data })).status()).toBe(401)
  const authorization = /Bearer [^"']+/.exec(code ?? '')?.[0] ?? ''
  const answer = await visitor.post(address, { data, headers: { authorization } })
  expect(await answer.text()).toContain('“Plan short trips.”')
})

test('an assistant is renamed, changed and asked on a phone, and deleted', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await api.post('/assistants', { type: 'CUSTOM', details: JSON.stringify({ name: 'Pocket helper' }) })
  await page.goto('/app')
  await page.getByRole('navigation', { name: 'Main areas' }).getByRole('link', { name: 'Assistants' }).click()
  await page.getByRole('link', { name: 'Custom assistants' }).click()
  await page.getByRole('link', { name: 'Pocket helper' }).click()
  await page.getByRole('textbox', { name: 'Assistant name' }).fill('Pocket guide')
  await page.getByRole('button', { name: 'Add tool' }).click()
  await page.getByRole('combobox', { name: 'Tool' }).selectOption('calculator')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(toast(page, 'Saved')).toBeVisible()
  await ask(page, '12 * 12')
  await expect(messages(page)).toContainText('144')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.getByRole('link', { name: 'Custom assistants' }).click()
  await page.getByRole('button', { name: 'Actions for Pocket guide' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('link', { name: 'Pocket guide' })).toBeHidden()
})

test('the model of an assistant writes its instructions, and writes them again', async ({ page, model }) => {
  await createAssistant(page, 'Shopkeeper')
  const write = page.getByRole('button', { name: 'Write with the model' })
  await expect(write).toBeDisabled()
  await expect(page.getByText('The practice model can’t write instructions. Choose another model.')).toBeVisible()
  await chooseScripted(page.getByRole('main'), model.baseUrl)
  await write.click()
  const dialog = page.getByRole('dialog', { name: 'Write instructions' })
  const task = dialog.getByLabel('What should the assistant do?')
  model.reply({ text: 'You sell yarn.' }, { text: 'You sell yarn and looms.' })
  await task.fill('Sell yarn')
  await dialog.getByRole('button', { name: 'Write', exact: true }).click()
  await expect(dialog.getByLabel('Instructions', { exact: true })).toHaveValue('You sell yarn.')
  await task.fill('Sell yarn and looms')
  await dialog.getByRole('button', { name: 'Write again' }).click()
  await expect(dialog.getByLabel('Instructions', { exact: true })).toHaveValue('You sell yarn and looms.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Use these instructions' }).click()
  await expect(page.getByRole('textbox', { name: 'Instructions' })).toHaveText('You sell yarn and looms.')
})

test('what a provider refuses is in view where the form is taller than the phone', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const server = await startAssistantsServer(oauthPort)
  const key = { name: 'Refused', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk-test' } }
  const { id } = await api.post<{ id: string }>('/credentials', key)
  try {
    await page.goto('/assistants/openai')
    await page.getByRole('button', { name: 'New assistant' }).first().click()
    const form = page.getByRole('dialog', { name: 'New assistant' })
    const create = form.getByRole('button', { name: 'Create', exact: true })
    await create.click()
    await expect(form.getByLabel('Credential', { exact: true })).toBeFocused()
    await form.getByLabel('Credential', { exact: true }).selectOption({ label: 'Refused' })
    await form.getByLabel('Address (optional)').fill(server.baseUrl)
    await form.getByLabel('Name', { exact: true }).fill('Nobody')
    await form.getByLabel('Model', { exact: true }).fill('gpt-4o')
    await form.getByText('File search', { exact: true }).scrollIntoViewIfNeeded()
    server.failing = { status: 401, message: 'Incorrect API key' }
    await create.click()
    await expect(form.getByText('Incorrect API key')).toBeInViewport()
  } finally {
    await server.close()
    await api.delete(`/credentials/${id}`)
  }
})

for (const { device, viewport } of [
  { device: 'a desktop', viewport: { width: 1400, height: 900 } },
  { device: 'a phone', viewport: { width: 390, height: 844 } },
]) {
  test(`an assistant at a provider gets files, a vector store and a function on ${device}`, async ({ page, api }) => {
    await page.setViewportSize(viewport)
    const server = await startAssistantsServer(oauthPort)
    const name = `Archivist on ${device}`
    const tool = `look_up_on_${device.replace(' ', '_')}`
    let credential: string | undefined
    try {
      const key = { name, credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk-test' } }
      credential = (await api.post<{ id: string }>('/credentials', key)).id
      await api.post('/tools', { name: tool, description: 'Looks something up', schema: '[]', func: 'return 1' })
      await page.goto('/assistants/openai')
      await page.getByRole('button', { name: 'New assistant' }).first().click()
      const form = page.getByRole('dialog', { name: 'New assistant' })
      await form.getByLabel('Credential', { exact: true }).selectOption({ label: name })
      await form.getByLabel('Address (optional)').fill(server.baseUrl)
      await form.getByLabel('Name', { exact: true }).fill(name)
      await form.getByLabel('Model', { exact: true }).fill('gpt-4o')
      await form.getByText('Code interpreter', { exact: true }).click()
      const files = form.getByRole('group', { name: 'Files of the code interpreter' })
      const table = { name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2') }
      await files.getByLabel('Add to files of the code interpreter').setInputFiles(table)
      await expect(files.getByRole('button', { name: 'Remove numbers.csv' })).toBeEnabled()
      await form.getByText('File search', { exact: true }).click()
      let answer = () => {}
      server.held = new Promise((resolve) => {
        answer = resolve
      })
      const create = form.getByRole('button', { name: 'Create vector store' })
      await create.click()
      await expect(create).toBeDisabled()
      answer()
      const searched = form.getByRole('group', { name: 'Files of the vector store' })
      const manual = { name: 'manual.txt', mimeType: 'text/plain', buffer: Buffer.from('Oil the loom.') }
      await searched.getByLabel('Add to files of the vector store').setInputFiles(manual)
      // Its row moves what follows once it is sent, and a click meanwhile may miss.
      await expect(searched.getByRole('button', { name: 'Remove manual.txt' })).toBeEnabled()
      await form.getByText(tool, { exact: true }).click()
      await expect(form.getByRole('checkbox', { name: tool })).toBeChecked()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Create', exact: true }).click()
      await expect(toast(page, 'Assistant created')).toBeVisible()
      expect([...server.assistants.values()]).toMatchObject([
        {
          tools: [{ type: 'code_interpreter' }, { type: 'file_search' }, { function: { name: tool } }],
          tool_resources: {
            code_interpreter: { file_ids: ['file-1'] },
            file_search: { vector_store_ids: ['vs_1'] },
          },
        },
      ])

      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      const edit = page.getByRole('dialog', { name: 'Edit assistant' })
      await edit.getByRole('button', { name: 'Remove manual.txt' }).click()
      await expect(edit.getByText('manual.txt')).toBeHidden()
      expect(server.vectorStores.get('vs_1')?.file_ids).toEqual([])
      await edit.getByRole('button', { name: 'Remove numbers.csv' }).click()
      await edit.getByRole('button', { name: 'Save' }).click()
      await expect(toast(page, 'Assistant saved')).toBeVisible()
      expect(server.assistants.get('asst_1')?.tool_resources).toMatchObject({ code_interpreter: { file_ids: [] } })
    } finally {
      await server.close()
      // New nodes choose the only credential there is.
      if (credential) await api.delete(`/credentials/${credential}`)
    }
  })
}

test('an upload to a provider is cancelled, and sent again', async ({ page, api }) => {
  const server = await startAssistantsServer(oauthPort)
  const key = { name: 'Uploads', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk-test' } }
  const { id } = await api.post<{ id: string }>('/credentials', key)
  try {
    await page.goto('/assistants/openai')
    await page.getByRole('button', { name: 'New assistant' }).first().click()
    const form = page.getByRole('dialog', { name: 'New assistant' })
    await form.getByLabel('Credential', { exact: true }).selectOption({ label: 'Uploads' })
    await form.getByLabel('Address (optional)').fill(server.baseUrl)
    await form.getByText('Code interpreter', { exact: true }).click()
    const files = form.getByRole('group', { name: 'Files of the code interpreter' })
    const table = { name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2') }
    const send = () => files.getByLabel('Add to files of the code interpreter').setInputFiles(table)
    const upload = '**/openai-assistants-file/upload?*'
    await page.route(upload, () => {})
    await send()
    await expect(files.getByRole('progressbar', { name: 'Sending numbers.csv' })).toBeVisible()
    await expectAccessible(page, '[role=dialog]')
    const ended = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/openai-assistants-file/upload'),
    )
    await files.getByRole('button', { name: 'Cancel numbers.csv' }).click()
    await ended
    await expect(files.getByRole('progressbar')).toHaveCount(0)
    await expect(files).not.toContainText('numbers.csv')
    await expect(files.getByRole('alert')).toHaveCount(0)
    expect(server.files.size).toBe(0)

    await page.unroute(upload)
    await send()
    await expect(files.getByRole('button', { name: 'Remove numbers.csv' })).toBeVisible()
    expect(server.files.size).toBe(1)

    // The provider has the file when its upload is cancelled.
    const cancelLate = async () => {
      let answer = () => {}
      server.held = new Promise((resolve) => {
        answer = resolve
      })
      await send()
      await expect.poll(() => server.files.size).toBe(2)
      await files.getByRole('button', { name: 'Cancel numbers.csv' }).click()
      await expect(files.getByRole('progressbar')).toHaveCount(0)
      return answer
    }
    const answer = await cancelLate()
    answer()
    await expect.poll(() => server.files.size).toBe(1)
    const answerAgain = await cancelLate()
    server.failing = { status: 500, message: 'The loom is broken' }
    answerAgain()
    await expect(toast(page, '“numbers.csv” is still at the provider')).toBeVisible()
    expect(server.files.size).toBe(2)
  } finally {
    await server.close()
    await api.delete(`/credentials/${id}`)
  }
})

test('an assistant’s versions are listed, and an earlier one is published and restored', async ({ page, api }) => {
  const id = (
    await api.post<{ id: string }>('/assistants', {
      type: 'CUSTOM',
      details: JSON.stringify({ name: 'Chronicler' }),
    })
  ).id
  await page.goto(`/assistants/custom/${id}`)
  await page.getByRole('button', { name: 'Add tool' }).click()
  await page.getByRole('combobox', { name: 'Tool' }).selectOption('calculator')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(toast(page, 'Saved')).toBeVisible()
  await page.getByRole('button', { name: 'Versions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions' })
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await expect(dialog.getByRole('listitem').first()).toContainText('Latest')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Publish' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click()
  await expect(dialog.getByRole('listitem').last()).toContainText('Published')
  await expect(dialog).toContainText('Callers get version 1.')
  await dialog.getByRole('button', { name: 'Actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
  await expect(toast(page, 'Restored version 1')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Tool' })).toBeHidden()
  const { details } = await api.get<{ details: string }>(`/assistants/${id}`)
  expect(JSON.parse(details)).toMatchObject({ name: 'Chronicler', tools: [] })
})
