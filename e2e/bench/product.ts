/** What every measurement works on: the product in a process of its own, a signed-in client, flows to run. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { createTestClient, type TestClient } from '#worker/local/testing/client.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import type { Amounts, HostAddresses } from './host.ts'

export interface Product extends HostAddresses {
  model: ModelServer
  client: TestClient
  workspaceId: string
  /** Requests that the database has answered. */
  roundTrips(): Promise<number>
  amounts(): Promise<Amounts>
  /** @returns the flow's id */
  save(flow: FlowDocument): Promise<string>
  close(): Promise<void>
}

const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'Shuttle-and-warp-7' }

export async function startProduct(): Promise<Product> {
  const model = await startModelServer()
  const host = fork(join(import.meta.dirname, 'host.ts'), [model.host])
  const gone = once(host, 'exit').then(() => Promise.reject(new Error('The process of the product ended')))
  gone.catch(() => {})
  const message = async <T>() => (await Promise.race([once(host, 'message'), gone]))[0] as T
  const ask = <T>(question: string) => {
    host.send(question)
    return message<T>()
  }
  const addresses = await message<HostAddresses>()
  const client = createTestClient(addresses.url)
  const post = async <T>(path: string, json: object) => {
    const response = await client.fetch(`/api/v1${path}`, { method: 'POST', json })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  const { activeWorkspaceId } = await post<{ activeWorkspaceId: string }>('/account/register', PERSON)

  return {
    ...addresses,
    model,
    client,
    workspaceId: activeWorkspaceId,
    roundTrips: () => ask<number>('roundTrips'),
    amounts: () => ask<Amounts>('amounts'),
    async save(flow) {
      const body = { name: 'Bench', flowData: JSON.stringify(flow), type: 'AGENTFLOW' }
      return (await post<{ id: string }>('/chatflows', body)).id
    },
    async close() {
      const ended = once(host, 'exit')
      host.disconnect()
      await ended
      await model.close()
    },
  }
}
