/** The product's API as a page's own scripts call it: with the page's cookies, the XSRF header and the origin. */
import type { APIResponse, Page } from '@playwright/test'
import type { Chatflow } from '#contract/chatflows.ts'
import type { FlowDocument } from '#contract/flow/document.ts'

export interface Api {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: unknown): Promise<T>
  put<T>(path: string, body: unknown): Promise<T>
  /** Makes an agent flow; answers it as stored. */
  createFlow(name: string, flow: FlowDocument): Promise<Chatflow>
  /** The flow's document as it is stored now. */
  readFlow(id: string): Promise<FlowDocument>
  /** Runs a flow without a chat panel; answers what the prediction call answers. */
  predict<T>(id: string, question: string): Promise<T>
}

/** Every method throws when the answer is not 2xx. Paths are below /api/v1. */
export function apiOf(page: Page): Api {
  const send = async <T>(method: string, path: string, data?: unknown): Promise<T> => {
    const cookies = await page.context().cookies()
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
    const origin = new URL((await originOf(page)) ?? '').origin
    const headers = { origin, 'x-xsrf-token': token }
    return body<T>(await page.request.fetch(`/api/v1${path}`, { method, data, headers }))
  }
  const post = <T>(path: string, data: unknown) => send<T>('POST', path, data)
  return {
    post,
    get: (path) => send('GET', path),
    put: (path, data) => send('PUT', path, data),
    createFlow: (name, flow) =>
      post('/chatflows', { name, flowData: JSON.stringify(flow), type: 'AGENTFLOW' }),
    readFlow: async (id) => JSON.parse((await send<Chatflow>('GET', `/chatflows/${id}`)).flowData),
    predict: (id, question) => post(`/prediction/${id}`, { question }),
  }
}
