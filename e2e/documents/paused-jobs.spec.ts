/** Jobs that a provider stops: what a person reads, mends and resumes. */
import type { Page } from '@playwright/test'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../support/embeddings-server.ts'
import { oauthPort } from '../support/ports.ts'
import { createStore } from '../support/stores.ts'
import { expect, expectAccessible, expectStatus, test } from '../support/test.ts'

const HOLIDAYS = 'Every weaver has thirty days of paid holiday a year.'
const LOOMS = 'Looms are oiled on the first Monday of each month.'

let embeddings: EmbeddingsServer

test.beforeAll(async () => {
  embeddings = await startEmbeddingsServer(oauthPort)
})
test.beforeEach(() => {
  embeddings.requests.length = 0
})
test.afterAll(() => embeddings.close())

const job = (page: Page) => page.getByRole('region', { name: 'Embed', exact: true })

async function upsertOnPage(page: Page, storeId: string): Promise<void> {
  await page.goto(`/document-stores/vector/${storeId}`)
  await page
    .getByRole('combobox', { name: 'Embeddings' })
    .selectOption({ label: 'OpenAI compatible embeddings (Ollama, vLLM, LM Studio...)' })
  await page.getByRole('textbox', { name: 'Model name' }).fill('scripted')
  await page.getByRole('textbox', { name: 'Base path' }).fill(embeddings.baseUrl)
  await page.getByRole('button', { name: 'Save and upsert' }).click()
}

/** On the store's page. Each text was embedded once. */
async function resume(page: Page): Promise<void> {
  await job(page).getByRole('button', { name: 'Resume' }).click()
  await expect(job(page)).toBeHidden()
  await expect(page.getByRole('row', { name: /Embed Done/ })).toBeVisible()
  await expect(page.getByText('Ready', { exact: true }).first()).toBeVisible()
  expect(embeddings.requests.flat().sort()).toEqual([HOLIDAYS, LOOMS])
}

test('a provider that is asked too often pauses the job with its words, and a person resumes it', async ({
  page,
  api,
}) => {
  const { storeId } = await createStore(api, 'Asked too often', `${HOLIDAYS}\n\n${LOOMS}`)
  const refusal = { status: 429, message: 'Rate limit reached for scripted: limit 3, used 3. Add credit first.' }
  embeddings.refuse(...Array.from({ length: 4 }, () => refusal))
  await upsertOnPage(page, storeId)
  await expectStatus(job(page), 'Paused', 30_000)
  await expect(job(page)).toContainText('Rate limit reached for scripted: limit 3, used 3. Add credit first.')
  await expect(job(page)).toContainText('Nothing is lost.')
  await expectAccessible(page)
  expect((await api.get<DocumentStore>(`/document-store/store/${storeId}`)).status).toBe('SYNC')

  await page.goto(`/document-stores/${storeId}`)
  await resume(page)
})

test('a key that is refused pauses the job, and with another one it goes on', async ({ page, api }) => {
  const secret = (key: string) => ({
    ...{ name: 'Vectors', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: key } },
    hosts: [new URL(embeddings.baseUrl).host],
  })
  const { id: credential } = await api.post<{ id: string }>('/credentials', secret('sk-of-yesterday'))
  const { storeId } = await createStore(api, 'Wrong key', `${HOLIDAYS}\n\n${LOOMS}`)
  await api.post('/document-store/vectorstore/save', {
    ...{ storeId, embeddingName: 'openAIEmbeddingsCustom' },
    embeddingConfig: { modelName: 'scripted', basepath: embeddings.baseUrl, credential },
  })
  embeddings.refuse({ status: 401, message: 'Incorrect API key provided: sk-of-yesterday.' })
  await page.goto(`/document-stores/vector/${storeId}`)
  await page.getByRole('button', { name: 'Save and upsert' }).click()
  await expectStatus(job(page), 'Paused')
  await expect(job(page)).toContainText('Incorrect API key provided')
  await expect(job(page)).not.toContainText('sk-of-yesterday')
  expect(embeddings.requests).toEqual([])

  await page.goto('/credentials')
  await page.getByRole('button', { name: 'Actions for Vectors' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog')
  await edit.getByRole('button', { name: 'Replace OpenAI API key' }).click()
  await edit.getByLabel('OpenAI API key').fill('sk-of-today')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toBeHidden()
  await page.goto(`/document-stores/${storeId}`)
  await resume(page)
})
