/** The product's API as a page's own scripts call it: with the page's cookies, the XSRF header and the origin. */
import type { Page } from '@playwright/test'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { ExecutionSummary } from '#contract/runs/executions.ts'

export interface Api {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: unknown): Promise<T>
  put<T>(path: string, body: unknown): Promise<T>
  delete<T>(path: string): Promise<T>
  /** Makes an agent flow; answers it as stored. */
  createFlow(name: string, flow: FlowDocument): Promise<Chatflow>
  /** The flow's document as it is stored now. */
  readFlow(id: string): Promise<FlowDocument>
}

/** Every method throws when the answer is not 2xx. Paths are below /api/v1 of the page's `origin`. */
export function apiOf(page: Page, origin: string): Api {
  async function send<T>(method: string, path: string, data?: unknown): Promise<T> {
    const cookies = await page.context().cookies()
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
    // The server may close an idle connection just when it is used again, which fails a request that is no read.
    const headers = { origin, 'x-xsrf-token': token, connection: 'close' }
    const response = await page.request.fetch(`${origin}/api/v1${path}`, { method, data, headers })
    if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${await response.text()}`)
    return (await response.json()) as T
  }
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
    createFlow: (name, flow) => send('POST', '/chatflows', { name, flowData: JSON.stringify(flow), type: 'AGENTFLOW' }),
    readFlow: async (id) => JSON.parse((await send<Chatflow>('GET', `/chatflows/${id}`)).flowData),
  }
}

/** The run of a flow that began last. */
export async function lastRun(api: Api, flowId: string): Promise<ExecutionSummary> {
  const { data } = await api.get<{ data: ExecutionSummary[] }>(`/executions?agentflowId=${flowId}&limit=1`)
  if (!data[0]) throw new Error('The flow has never run')
  return data[0]
}
