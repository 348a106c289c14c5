/** For worker tests of runs: a Heddle with a scripted model server and a person who has flows. */
import { eq } from 'drizzle-orm'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { PredictionAnswer } from '#contract/predictions/predictions.ts'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { chatMessages, executions } from '#db/schema/index.ts'
import type { HeddleOptions } from '#worker/local/server.ts'
import type { DatabaseProxy } from '#worker/local/testing/database-proxy.ts'
import { startTestHeddle, type TestClient } from '#worker/local/testing/heddle.ts'
import { startModelServer } from '../../../../e2e/support/model-server.ts'

export type Scene = Awaited<ReturnType<typeof openScene>>

export type Answered<Body> = { status: number; body: Body }

/** A prediction's answer, or why there is none. */
export type Reply = PredictionAnswer & { statusCode?: number; message: string; state?: string }

interface SceneOptions
  extends Pick<HeddleOptions, 'allowPrivateHosts' | 'mail' | 'anonymousMbPerDay' | 'metricsToken'> {
  /** Stands between the worker and its database. */
  databaseProxy?: DatabaseProxy
}

export async function openScene({ allowPrivateHosts, databaseProxy, ...options }: SceneOptions = {}) {
  const model = await startModelServer()
  const hosts = [model.host, ...(allowPrivateHosts ? [allowPrivateHosts] : [])]
  const heddle = await startTestHeddle({
    platformType: 'cloud',
    allowPrivateHosts: hosts.join(','),
    ...options,
    ...(databaseProxy && { bindings: { LIBSQL_URL: databaseProxy.url } }),
  })
  databaseProxy?.passTo(heddle.databaseUrl)
  const ann = await heddle.signUp()

  async function call<Body>(method: string, path: string, json?: unknown, client = ann): Promise<Answered<Body>> {
    const response = await client.fetch(`/api/v1${path}`, { method, json })
    return { status: response.status, body: await response.json() }
  }

  const internally = (flowId: string, json: object, client?: TestClient) =>
    call<Reply>('POST', `/internal-prediction/${flowId}`, json, client)

  const row = async (id: string) =>
    (await heddle.database.select().from(executions).where(eq(executions.id, id)))[0] as typeof executions.$inferSelect

  return {
    model,
    heddle,
    ann,
    call,
    internally,
    /** Callable by everyone, unless `more` says otherwise. */
    async save(flow: FlowDocument, more: object = {}): Promise<string> {
      const body = { name: 'Test', flowData: JSON.stringify(flow), type: 'AGENTFLOW', callers: 'everyone', ...more }
      return (await call<{ id: string }>('POST', '/chatflows', body)).body.id
    },
    /** As a caller from outside. */
    ask: (flowId: string, json: object) => call<Reply>('POST', `/prediction/${flowId}`, json, heddle.newClient()),
    async askWithKey(flowId: string, { key, json }: { key: string; json: object }): Promise<Answered<Reply>> {
      const response = await heddle.fetch(`/api/v1/prediction/${flowId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(json),
      })
      return { status: response.status, body: (await response.json()) as Reply }
    },
    async stream(path: string, json: object, client = heddle.newClient()) {
      const body = { ...json, streaming: true }
      const response = await client.fetch(`/api/v1${path}`, { method: 'POST', json: body })
      return eventsOf(await response.text())
    },
    execution: async (id: string) => (await call<ExecutionDetail>('GET', `/executions/${id}`)).body,
    traceOf: async (id: string): Promise<{ path: string; status: string; data: Record<string, never> }[]> =>
      JSON.parse((await call<ExecutionDetail>('GET', `/executions/${id}`)).body.executionData),
    messagesOf: (executionId: string) =>
      heddle.database
        .select()
        .from(chatMessages)
        .where(eq(chatMessages.executionId, executionId))
        .orderBy(chatMessages.createdDate),
    row,
    /** Lets the minute job find a run whose worker is gone, and waits until its instance has ended it. */
    async recovered(id: string) {
      await heddle.scheduled()
      while ((await row(id)).state === 'INPROGRESS') await new Promise((resolve) => setTimeout(resolve, 25))
    },
    async close() {
      await heddle.close()
      await model.close()
    },
  }
}

export interface Event {
  event: string
  data: never
}

export function eventsOf(text: string): Event[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)))
}
