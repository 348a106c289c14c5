/** Document stores as the journeys need them. */
import { expect, type Page } from '@playwright/test'
import type { AcceptedJob, DocumentJob } from '#contract/document-stores/jobs.ts'
import type { DocumentLoader } from '#contract/document-stores/loaders.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import type { Api } from './api.ts'

type Calls = Pick<Api, 'get' | 'post'>

/** Makes a store with one text in it, which is processed. */
export async function createStore(api: Calls, name: string, text: string): Promise<{ storeId: string; docId: string }> {
  const { id: storeId } = await api.post<DocumentStore>('/document-store/store', { name, description: 'For a journey' })
  const { id: docId } = await saveText(api, { storeId, text })
  await processed(api, storeId, docId)
  return { storeId, docId }
}

interface TextOf {
  storeId: string
  text: string
  /** The loader to change. */
  id?: string
}

/** Paragraphs become chunks of their own. */
export const saveText = (api: Calls, { text, ...rest }: TextOf) =>
  api.post<DocumentLoader>('/document-store/loader/save', {
    ...rest,
    loaderId: 'plainText',
    loaderName: 'Rules',
    loaderConfig: { text },
    splitterId: 'characterTextSplitter',
    splitterConfig: { separator: '\\n\\n', chunkSize: 60, chunkOverlap: 0 },
  })

async function processed(api: Calls, storeId: string, id: string): Promise<void> {
  const { jobId } = await api.post<AcceptedJob>(`/document-store/loader/process/${id}?async=true`, { storeId, id })
  await expect.poll(async () => (await api.get<DocumentJob>(`/document-store/jobs/${jobId}`)).state).toBe('done')
}

/** The store's page, once it shows that every chunk can be found. */
export async function openReadyStore(page: Page, storeId: string): Promise<void> {
  await page.goto(`/document-stores/${storeId}`)
  await expect(page.getByText('Ready', { exact: true }).first()).toBeVisible()
}
