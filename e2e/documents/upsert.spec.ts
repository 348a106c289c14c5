/** A chat flow answers from a PDF: from its loader to a visitor's chat and the owner's messages. */
import type { Page } from '@playwright/test'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { Link } from '#contract/flow/document/draw.ts'
import type { Part } from '#contract/flow/kinds/types.ts'
import { pdfOf } from '#worker/knowledge/readers/testing/pdf.ts'
import type { Api } from '../support/api.ts'
import { nodeOf, nodes, settings } from '../support/canvas.ts'
import { drawChatflow } from '../support/draw.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../support/embeddings-server.ts'
import { oauthPort } from '../support/ports.ts'
import { expect, expectAccessible, expectStatus, test, toast } from '../support/test.ts'

const HOLIDAYS = 'Every weaver has thirty days of paid holiday a year.'

const parts: Part[] = [
  { name: 'pdfFile', label: 'Handbook', at: [80, 80] },
  { name: 'practiceEmbeddings', label: 'Embeddings', at: [80, 420] },
  { name: 'memoryVectorStore', label: 'Shelf', at: [460, 80] },
  { name: 'practiceModel', label: 'Model', at: [460, 420] },
  { name: 'conversationalRetrievalQAChain', label: 'Clerk', at: [840, 80], inputs: { returnSourceDocuments: true } },
]

const links: Link[] = [
  [0, 2],
  [1, 2],
  [2, 4],
  [3, 4],
]

async function createFlow(api: Api, name: string): Promise<string> {
  const flow = await drawChatflow(api, parts, links)
  const body = { name, flowData: JSON.stringify(flow), type: 'CHATFLOW', callers: 'everyone' }
  return (await api.post<Chatflow>('/chatflows', body)).id
}

async function openCanvas(page: Page, id: string) {
  await page.goto(`/canvas/${id}`)
  await expect(nodes(page)).toHaveCount(parts.length)
}

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Upsert' })

test('a PDF in a loader is upserted, answers a visitor with its source, and the talk is kept', async ({
  page,
  browser,
  api,
}) => {
  const id = await createFlow(api, 'Answers from a PDF')
  await openCanvas(page, id)
  await nodeOf(page, 'Handbook').click({ position: { x: 100, y: 12 } })
  const file = {
    name: 'holidays.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(pdfOf({ pages: [HOLIDAYS, 'Looms are oiled on Mondays.'] })),
  }
  await settings(page, 'Handbook').getByLabel('File for Pdf File').setInputFiles(file)
  await expect(settings(page, 'Handbook')).toContainText('holidays.pdf')

  // The keyboard alone opens it, fills the store, and deletes the entry.
  await page.getByRole('button', { name: 'Upsert documents' }).focus()
  await page.keyboard.press('Enter')
  await expect(sheet(page)).toContainText('Nothing has been upserted yet.')
  await sheet(page).getByRole('button', { name: 'Upsert into Shelf' }).press('Enter')
  await expectStatus(sheet(page), '2 documents added')
  const entries = sheet(page).getByRole('list', { name: 'Upserts, newest first' }).getByRole('listitem')
  await expect(entries).toHaveCount(1)
  await expect(entries).toContainText('2 documents added')
  await expectAccessible(page)
  await entries.getByRole('button', { name: /^Actions for the upsert of/ }).press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await expect(toast(page, 'Entry deleted')).toBeVisible()
  await expect(sheet(page)).toContainText('Nothing has been upserted yet.')
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)

  const context = await browser.newContext({
    viewport: { width: 390, height: 780 },
    storageState: { cookies: [], origins: [] },
  })
  const visitor = await context.newPage()
  await visitor.goto(`/chatbot/${id}`)
  await visitor.getByRole('textbox', { name: 'Question' }).fill('How many days of paid holiday?')
  await visitor.keyboard.press('Enter')
  const talk = visitor.getByRole('log', { name: 'Messages' })
  await talk.getByText(/^\d+ sources?$/).click()
  await expect(talk.getByRole('list', { name: 'Sources' })).toContainText('holidays.pdf')
  await context.close()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Messages' }).click()
  const sessions = page.getByRole('navigation', { name: 'Sessions' })
  await sessions.getByRole('link', { name: /How many days of paid holiday/ }).click()
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('How many days of paid holiday?')
})

test('on a phone the menu opens the upsert, which says what fails and what is missing', async ({ page, api }) => {
  const id = await createFlow(api, 'Lacks its PDF')
  await page.setViewportSize({ width: 390, height: 780 })
  await openCanvas(page, id)
  const open = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Upsert documents' }).click()
  }
  await open()
  await sheet(page).getByRole('button', { name: 'Upsert into Shelf' }).click()
  await expect(sheet(page).getByRole('alert')).toContainText('choose a file for PDF file')
  await expect(sheet(page)).toContainText('Nothing has been upserted yet.')
  await expectAccessible(page)

  const { nodes: drawn, edges } = await api.readFlow(id)
  const flowData = JSON.stringify({ nodes: drawn, edges: edges.filter(({ source }) => !source.startsWith('pdfFile')) })
  await api.put(`/chatflows/${id}`, { flowData })
  await openCanvas(page, id)
  await open()
  await expect(sheet(page)).toContainText('Connect documents to Shelf.')
  await expect(sheet(page).getByRole('button', { name: 'Upsert' }).last()).toBeDisabled()
})

test.describe('an upsert that takes long', () => {
  let embeddings: EmbeddingsServer

  test.beforeAll(async () => {
    embeddings = await startEmbeddingsServer(oauthPort)
  })
  test.afterAll(() => embeddings.close())

  /** @param text fifteen letters, of which five each are a request to the embedder */
  async function createLong(api: Api, name: string, text: string): Promise<string> {
    const long: Part[] = [
      { name: 'plainText', label: 'Notes', at: [80, 80], inputs: { text } },
      { name: 'characterTextSplitter', label: 'Cutter', at: [80, 420], inputs: { chunkSize: 5, chunkOverlap: 0 } },
      {
        name: 'openAIEmbeddingsCustom',
        label: 'Embeddings',
        at: [80, 760],
        inputs: { basepath: embeddings.baseUrl, modelName: 'test', batchSize: 1 },
      },
      { name: 'memoryVectorStore', label: 'Shelf', at: [460, 80] },
      { name: 'practiceModel', label: 'Model', at: [460, 420] },
      { name: 'conversationalRetrievalQAChain', label: 'Clerk', at: [840, 80] },
    ]
    const ways: Link[] = [
      [1, 0],
      [0, 3],
      [2, 3],
      [3, 5],
      [4, 5],
    ]
    const flow = await drawChatflow(api, long, ways)
    const body = { name, flowData: JSON.stringify(flow), type: 'CHATFLOW' }
    return (await api.post<Chatflow>('/chatflows', body)).id
  }

  const open = async (page: Page, id: string) => {
    await page.goto(`/canvas/${id}`)
    await page.getByRole('button', { name: 'Upsert documents' }).click()
  }

  /** Starts an upsert whose second request gets no answer. */
  async function startHeld(page: Page, id: string) {
    await open(page, id)
    const held = embeddings.hold(1)
    await sheet(page).getByRole('button', { name: 'Upsert into Shelf' }).press('Enter')
    await held
    await expectStatus(sheet(page), '1 of 3 chunks')
  }

  test('goes on when the page is reloaded, in another tab too, and stops when it is cancelled', async ({
    page,
    api,
  }) => {
    const id = await createLong(api, 'Cancelled upsert', 'abcdefghijklmno')
    await startHeld(page, id)
    await page.reload()
    await open(page, id)
    await expectStatus(sheet(page), '1 of 3 chunks')
    await expect(sheet(page).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '33')
    await expect(sheet(page).getByRole('button', { name: 'Upsert into Shelf' })).toBeDisabled()
    await expectAccessible(page)
    const other = await page.context().newPage()
    await open(other, id)
    await expectStatus(sheet(other), '1 of 3 chunks')
    await sheet(other).getByRole('button', { name: 'Cancel' }).press('Enter')
    for (const tab of [other, page]) {
      await expectStatus(sheet(tab), /Canceled\. Documents already written are kept\./)
      await expect(sheet(tab).getByRole('button', { name: 'Upsert into Shelf' })).toBeEnabled()
    }
    await other.close()
    embeddings.release()
  })

  test('ends by itself after a reload, and is in the history', async ({ page, api }) => {
    const id = await createLong(api, 'Finished upsert', 'pqrstuvwxyz0123')
    await startHeld(page, id)
    await page.reload()
    await open(page, id)
    await expectStatus(sheet(page), '1 of 3 chunks')
    embeddings.release()
    await expectStatus(sheet(page), '3 documents added')
    const entries = sheet(page).getByRole('list', { name: 'Upserts, newest first' }).getByRole('listitem')
    await expect(entries).toHaveCount(1)
    await expect(entries).toContainText('3 documents added')
  })
})
