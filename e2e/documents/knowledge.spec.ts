/** Knowledge, from a file to a cited answer. */
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { pdfOf } from '#worker/knowledge/readers/testing/pdf.ts'
import { ask, messages, openCanvas, openChat, openSettings } from '../support/canvas.ts'
import { draw, llm, start } from '../support/draw.ts'
import { gate } from '../support/model-server.ts'
import { createStore, openReadyStore, saveText } from '../support/stores.ts'
import { expect, expectAccessible, test, toast } from '../support/test.ts'

const HOLIDAYS = 'Every weaver has thirty days of paid holiday a year.'
const LOOMS = 'Looms are oiled on the first Monday of each month.'

test('a PDF becomes a store, and an agent answers from it with its source', async ({ page, api, model }) => {
  await page.goto('/document-stores')
  await page.getByRole('button', { name: 'New document store' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New document store' })
  await dialog.getByLabel('Name').fill('Handbook')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Handbook' })).toBeVisible()
  const storeId = page.url().split('/').at(-1) ?? ''

  await page.getByRole('button', { name: 'Add loader' }).first().click()
  await page.getByRole('searchbox', { name: 'Search loaders' }).fill('pdf')
  await page
    .getByRole('dialog', { name: 'Add loader' })
    .getByRole('button', { name: /^PDF File/i })
    .click()
  const buffer = Buffer.from(pdfOf({ pages: [HOLIDAYS, LOOMS], title: 'Handbook' }))
  await page.locator('input[type=file]').setInputFiles({ name: 'handbook.pdf', mimeType: 'application/pdf', buffer })
  await expect(page.getByRole('list', { name: 'Files' })).toContainText('handbook.pdf')
  await expect(page.getByRole('progressbar', { name: /^Sending/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Save and process' }).click()
  await expect(page.getByRole('link', { name: '2 chunks' })).toBeVisible()
  await expect(page.getByText('Ready', { exact: true }).first()).toBeVisible()

  await page.getByRole('link', { name: '2 chunks' }).click()
  await expect(page.getByRole('list', { name: 'Chunks' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Chunk 1 of handbook.pdf' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Chunk 2 of handbook.pdf' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Text', { exact: true })).toHaveValue(LOOMS)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.goto(`/document-stores/query/${storeId}`)
  await page.getByRole('textbox', { name: 'Query' }).fill('How many holidays do weavers have?')
  await page.keyboard.press('Enter')
  const found = page.getByRole('region', { name: 'Keyword' })
  await expect(found.getByRole('listitem').first()).toContainText(HOLIDAYS)
  await expect(found.locator('mark', { hasText: 'holiday' })).toBeVisible()

  const knowledge = { documentStore: `${storeId}:Handbook`, docStoreDescription: 'Rules', returnSourceDocuments: true }
  const agent = {
    name: 'agentAgentflow',
    label: 'Clerk',
    inputs: {
      agentModel: 'chatOpenAICustom',
      agentModelConfig: { agentModel: 'chatOpenAICustom', modelName: 'scripted', basepath: model.baseUrl },
      agentKnowledgeDocumentStores: [knowledge],
    },
  }
  const { id } = await api.createFlow('Asks the handbook', await draw(api, [start(), agent]))
  model.reply({ toolCalls: [{ name: 'handbook', arguments: { input: 'paid holiday' } }] }, { text: 'Thirty days.' })
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'How many days of holiday do I have?')
  await expect(messages(page)).toContainText('Thirty days.')
  await messages(page)
    .getByText(/^\d+ sources?$/)
    .click()
  const sources = messages(page).getByRole('list', { name: 'Sources' })
  await sources.getByText('handbook.pdf, page 1').click()
  await expect(sources.getByText(HOLIDAYS)).toBeVisible()
})

test('a Retriever and an agent show what their answers are based on', async ({ page, api, model }) => {
  const { storeId } = await createStore(api, 'Rules of the house', `${HOLIDAYS}\n\n${LOOMS}`)
  const parts = [
    start(),
    {
      name: 'retrieverAgentflow',
      label: 'Search',
      inputs: { retrieverKnowledgeDocumentStores: [{ documentStore: `${storeId}:Rules of the house` }] },
    },
    llm(model.baseUrl, 'Writer'),
  ]
  const { id } = await api.createFlow('Answers from rules', await draw(api, parts))
  model.reply({ text: 'Thirty days.' })
  await openCanvas(page, id)
  await openChat(page)
  await ask(page, 'How many days of holiday?')
  await expect(messages(page)).toContainText('Thirty days.')
  await messages(page)
    .getByText(/^\d+ sources?$/)
    .click()
  const sources = messages(page).getByRole('list', { name: 'Sources' })
  await sources.locator('summary').first().click()
  await expect(sources).toContainText(HOLIDAYS)
  await expectAccessible(page)

  await page.reload()
  await openChat(page)
  await expect(messages(page)).toContainText('Thirty days.')
  await expect(messages(page).getByText(/^\d+ sources?$/)).toBeVisible()

  const node = await openSettings(page, 'Search')
  await expect(node.getByRole('combobox', { name: 'Document Store' })).toHaveValue(`${storeId}:Rules of the house`)
  await expect(node.getByRole('link', { name: 'Open store' })).toHaveAttribute('href', `/document-stores/${storeId}`)
})

test('an edit survives a refresh, and a person decides where its source changed', async ({ page, api }) => {
  const { storeId, docId } = await createStore(api, 'Kept edits', `${HOLIDAYS}\n\n${LOOMS}`)
  await page.goto(`/document-stores/chunks/${storeId}/${docId}`)
  await page.getByRole('button', { name: /^Chunk 1 of/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text', { exact: true }).fill('Every weaver has thirty-two days of holiday.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Saved chunk 1')).toBeVisible()
  await expect(page.getByText('Edited', { exact: true })).toBeVisible()

  await saveText(api, { storeId, id: docId, text: `Every weaver has forty days of paid holiday a year.\n\n${LOOMS}` })
  await page.goto(`/document-stores/${storeId}`)
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await page.getByRole('link', { name: '1 edit to decide' }).click()
  await expect(page.getByRole('list', { name: 'Chunks' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Chunks' })).toContainText('thirty-two')
  await page.getByRole('button', { name: /^Chunk 1 of/ }).click()
  const conflict = dialog.getByRole('region', { name: 'Changed source' })
  await expect(conflict.getByLabel('The source now')).toContainText('forty')
  await expectAccessible(page, '[role=dialog]')
  await conflict.getByRole('button', { name: 'Take the source' }).click()
  await expect(toast(page, 'Took the text of the source')).toBeVisible()
  await page.goto(`/document-stores/chunks/${storeId}/${docId}`)
  await expect(page.getByRole('list', { name: 'Chunks' })).toContainText('forty days')
  await expect(page.getByText('Edited', { exact: true })).toHaveCount(0)
})

test('embedding goes on while nobody looks, and is cancelled within a unit', async ({ page, api, model }) => {
  const { storeId } = await createStore(api, 'Slowly embedded', `${HOLIDAYS}\n\n${LOOMS}`)
  const { opened, open } = gate()
  model.always(() => ({ before: opened, error: { status: 503, message: 'Closed' } }))
  await page.goto(`/document-stores/vector/${storeId}`)
  await expect(page.getByText('2 chunks will be indexed for keyword search. No cost.')).toBeVisible()
  await page
    .getByRole('combobox', { name: 'Embeddings' })
    .selectOption({ label: 'OpenAI compatible embeddings (Ollama, vLLM, LM Studio...)' })
  await page.getByRole('textbox', { name: 'Model name' }).fill('scripted')
  await page.getByRole('textbox', { name: 'Base path' }).fill(model.baseUrl)
  await expect(page.getByText(/^To embed: 2 chunks, about \d+ tokens, price unknown\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Save and upsert' }).click()
  await expect(page.getByRole('region', { name: 'Embed', exact: true })).toBeVisible()
  await model.received(1)

  await page.goto('/tools')
  await expect(page.getByRole('heading', { level: 1, name: 'Tools' })).toBeVisible()
  await page.goto(`/document-stores/${storeId}`)
  const job = page.getByRole('region', { name: 'Embed', exact: true })
  await expect(job.getByRole('progressbar', { name: 'Embed' })).toBeVisible()
  await expectAccessible(page)
  await job.getByRole('button', { name: 'Cancel' }).click()
  await expect(job).toBeHidden()
  open()
  const store = await api.get<DocumentStore>(`/document-store/store/${storeId}`)
  expect(store.job?.state).toBe('cancelled')
})

test('chunks are switched off and searched on a phone', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { storeId, docId } = await createStore(api, 'Pocket rules', `${HOLIDAYS}\n\n${LOOMS}`)
  await openReadyStore(page, storeId)
  await page.goto(`/document-stores/chunks/${storeId}/all?search=holiday`)
  await expect(page.getByRole('list', { name: 'Chunks' }).getByRole('listitem')).toHaveCount(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: /^Chunk 1 of/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await expect(toast(page, 'Switched chunk 1 off')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Off', { exact: true })).toBeVisible()

  await page.goto(`/document-stores/query/${storeId}?q=holiday`)
  await expect(page.getByText(/^Nothing found/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Query' }).fill('oiled looms')
  await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Keyword' }).getByRole('listitem')).toContainText([LOOMS])
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.goto(`/document-stores/vector/${storeId}/${docId}`)
  await expect(page.getByText('Only “Rules” will be embedded now.')).toBeVisible()
})
