/** What every measurement works on: the product in a process of its own, a signed-in client, flows to run. */

import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { createTestClient, type TestClient } from '#worker/local/testing/client.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { forkProcess } from './processes/fork.ts'
import type { Amounts, Costs } from './processes/host.ts'
import type { Scale } from './scale-rows.ts'

export interface Product {
  url: string
  /** Answers as it is told. */
  model: ModelServer
  /** Where a model server answers at once, from a process of its own. */
  promptModelUrl: string
  client: TestClient
  post<Answer>(path: string, body: object): Promise<Answer>
  /** Requests that the database has answered. */
  roundTrips(): Promise<number>
  /** Statements that the database has prepared. */
  prepared(): Promise<number>
  amounts(): Promise<Amounts>
  costs(): Promise<Costs>
  /** Bytes of everything in the database. */
  fileBytes(): Promise<number>
  /** Fires the minute job once. */
  cron(): Promise<void>
  fill(scale: Scale): Promise<void>
  /** @returns the flow's id */
  save(flow: FlowDocument, type?: FlowType): Promise<string>
  /** @returns the id of an OpenAI credential for servers that check no key */
  addCredential(): Promise<string>
  close(): Promise<void>
}

const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'Shuttle-and-warp-7' }

export async function startProduct(): Promise<Product> {
  const model = await startModelServer()
  const promptModel = await forkProcess<string>('processes/model.ts')
  const host = await forkProcess<string>('processes/host.ts', [`${model.host},${promptModel.ready}`])
  const url = host.ready
  const client = createTestClient(url)
  const post = async <T>(path: string, json: object) => {
    const response = await client.fetch(`/api/v1${path}`, { method: 'POST', json })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  await post('/account/register', PERSON)

  return {
    url,
    model,
    promptModelUrl: `http://${promptModel.ready}/v1`,
    client,
    post,
    roundTrips: () => host.ask<number>('roundTrips'),
    prepared: () => host.ask<number>('prepared'),
    amounts: () => host.ask<Amounts>('amounts'),
    costs: () => host.ask<Costs>('costs'),
    fileBytes: () => host.ask<number>('fileBytes'),
    cron: () => host.ask<void>('cron'),
    fill: (scale) => host.ask<void>(scale),
    async save(flow, type = 'AGENTFLOW') {
      const body = { name: 'Bench', flowData: JSON.stringify(flow), type, callers: 'everyone' }
      return (await post<{ id: string }>('/chatflows', body)).id
    },
    async addCredential() {
      const plainDataObj = { openAIApiKey: 'sk-bench' }
      const body = { name: 'Bench', credentialName: 'openAIApi', plainDataObj, hosts: null }
      return (await post<{ id: string }>('/credentials', body)).id
    },
    async close() {
      await host.close()
      await Promise.all([promptModel.close(), model.close()])
    },
  }
}
