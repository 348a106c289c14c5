/** Sends files in parts, and makes a bundle of any size. */
import { FILE_PART_BYTES, type LargeImport } from '#contract/export-import/export-import.ts'
import { call, type TestClient } from '#worker/local/testing/client.ts'

const ID = (kind: number, n: number) => `${String(kind).padStart(8, '0')}-7425-40de-944b-${String(n).padStart(12, '0')}`
const FLOW = ID(1, 1)
const date = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()

interface BundleSize {
  runs: number
  /** The chunks of a document store. */
  chunks?: number
  /** The length of each text. */
  chars: number
}

/** A flow with runs of one step, two messages for each, and a rating of each tenth answer; and a document store. */
export function bundleOf({ runs, chunks = 0, chars }: BundleSize) {
  const text = (n: number) => `${n} “Ü” `.padEnd(chars, 'lorem ipsum ')
  const flowData = JSON.stringify({ nodes: [], edges: [] })
  const numbers = Array.from({ length: runs }, (_, n) => n)
  const said = (n: number, role: string, id: string) => ({
    ...{ id, role, chatflowid: FLOW, content: text(n), chatType: 'EXTERNAL', chatId: ID(2, n % 50) },
    ...{ executionId: ID(3, n), sessionId: ID(2, n % 50), createdDate: date(n) },
  })
  return {
    AgentFlowV2: [{ id: FLOW, name: 'Large', type: 'AGENTFLOW', flowData }],
    ChatMessage: numbers.flatMap((n) => [said(n, 'userMessage', ID(4, n)), said(n, 'apiMessage', ID(5, n))]),
    ChatMessageFeedback: numbers
      .filter((n) => n % 10 === 0)
      .map((n) => ({
        ...{ id: ID(6, n), chatflowid: FLOW, chatId: ID(2, n % 50), messageId: ID(5, n), rating: 'THUMBS_UP' },
        createdDate: date(n),
      })),
    Execution: numbers.map((n) => ({
      ...{ id: ID(3, n), agentflowId: FLOW, sessionId: ID(2, n % 50), state: 'FINISHED', createdDate: date(n) },
      executionData: JSON.stringify([
        {
          ...{ nodeId: 'startAgentflow_0', nodeLabel: 'Start', status: 'FINISHED', previousNodeIds: [] },
          data: { id: 'startAgentflow_0', name: 'startAgentflow', output: { question: text(n) } },
        },
      ]),
    })),
    ...storeOf(chunks, text),
    Variable: [{ id: ID(7, 1), name: 'tone', type: 'static', value: 'kind' }],
    Dataset: [{ id: 'unknown' }],
  }
}

export const STORE = ID(8, 1)

/** Chunks of two files of a loader; every tenth is switched off. */
function storeOf(chunks: number, text: (n: number) => string) {
  const [loader, files] = [ID(9, 1), [ID(10, 1), ID(10, 2)]]
  const loaders = [
    {
      ...{ id: loader, loaderId: 'textFile', loaderName: 'Texts', loaderConfig: {}, status: 'SYNC' },
      files: files.map((id) => ({ id, name: `${id}.txt` })),
    },
  ]
  return {
    DocumentStore: [{ id: STORE, name: 'Large', loaders: JSON.stringify(loaders) }].slice(0, chunks),
    DocumentStoreFileChunk: Array.from({ length: chunks }, (_, n) => ({
      ...{ id: ID(11, n), storeId: STORE, docId: loader, sourceId: files[n % 2], chunkNo: n + 1 },
      ...{ pageContent: `word${n} ${text(n)}`, metadata: JSON.stringify({ page: n }), isEnabled: n % 10 !== 9 },
    })),
  }
}

/** A bundle with rows that are left out, noted or renamed because of rows of earlier pieces. */
export function oddBundle(runs: number) {
  const bundle = bundleOf({ runs, chunks: runs, chars: 2500 })
  const [message] = bundle.ChatMessage
  const [rating] = bundle.ChatMessageFeedback
  const [chunk] = bundle.DocumentStoreFileChunk
  return {
    ...bundle,
    ChatMessage: [...bundle.ChatMessage, message, { ...message, id: 'no-uuid' }, { id: 'x', role: 'nobody' }],
    ChatMessageFeedback: [...bundle.ChatMessageFeedback, { ...rating, id: crypto.randomUUID() }],
    DocumentStoreFileChunk: [...bundle.DocumentStoreFileChunk, chunk, { id: 'x' }],
  }
}

/** Returns the import after all parts were sent. */
export async function send(client: TestClient, text: string): Promise<LargeImport> {
  const bytes = new TextEncoder().encode(text)
  const started = await call(client, 'POST', '/export-import/imports', { name: 'ExportData.json', size: bytes.length })
  if (started.status !== 200) throw new Error(started.text)
  for (let part = 0; part * FILE_PART_BYTES < bytes.length; part++) {
    const body = bytes.slice(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES)
    const path = `/api/v1/export-import/imports/${started.body.id}/parts/${part}`
    const headers = { 'content-type': 'application/octet-stream' }
    const sent = await client.fetch(path, { method: 'POST', body, headers })
    if (sent.status !== 204) throw new Error(await sent.text())
  }
  return started.body as LargeImport
}

export const openImport = async (client: TestClient): Promise<LargeImport | null> =>
  (await call(client, 'GET', '/export-import/imports')).body.import

/** Waits until the import is in this state. Throws when it fails instead. */
export async function until(client: TestClient, state: LargeImport['state']): Promise<LargeImport> {
  for (;;) {
    const found = await openImport(client)
    if (found?.state === state) return found
    if (found?.state === 'failed' || found === null) throw new Error(found?.reason ?? 'There is no import')
  }
}
