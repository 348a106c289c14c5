/** A server that dies in the middle of runs, and is started again on the same data. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { type Database, openDatabase } from '#db/client.ts'
import { chatMessages, executions } from '#db/schema/index.ts'
import { type Heddle, startHeddle } from '#worker/local/heddle.ts'
import { createTestClient } from '#worker/local/test-client.ts'
import { chain, llm, start } from '../../../e2e/support/flows.ts'
import { gate, startModelServer } from '../../../e2e/support/model-server.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step()
})

it('answers after the restart what it was asked before', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-test-'))
  cleanUp.push(() => rmSync(dataDir, { recursive: true }))
  const model = await startModelServer()
  cleanUp.push(() => model.close())
  const boot = () => startHeddle({ dataDir, port: 0, allowPrivateHosts: model.host })

  const first = await boot()
  const flowId = await makeFlow(first, model.baseUrl)
  const hold = gate()
  model.reply({ text: 'never heard', before: hold.opened })
  const cut = ask(first, flowId).then(
    () => 'answered',
    () => 'cut off',
  )
  await model.received(1)
  const database = openDatabase(first.databaseUrl, first.databaseToken)
  await expect.poll(() => database.select().from(executions)).toHaveLength(1)
  await first.close()
  expect(await cut).toBe('cut off')

  const second = await boot()
  cleanUp.push(() => second.close())
  const reopened = openDatabase(second.databaseUrl, second.databaseToken)
  expect(await conversation(reopened)).toEqual(['are you there?'])
  await second.scheduled()
  expect(await conversation(reopened)).toEqual(['are you there?'])

  await reopened.run(sql`update executions set lease_expires_date = '2020-01-01T00:00:00.000Z#0'`)
  await second.scheduled()
  expect(await conversation(reopened)).toEqual(['are you there?', 'You said: are you there?'])
})

async function makeFlow(heddle: Heddle, baseUrl: string): Promise<string> {
  const client = createTestClient(heddle.url)
  const person = { name: 'Ann', email: 'ann@example.com', password: 'Correct-horse-9-staple' }
  await client.fetch('/api/v1/account/register', { method: 'POST', json: person })
  const json = { name: 'Test', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), llm(baseUrl))) }
  return (await (await client.fetch('/api/v1/chatflows', { method: 'POST', json })).json()).id
}

function ask(heddle: Heddle, flowId: string) {
  return createTestClient(heddle.url).fetch(`/api/v1/prediction/${flowId}`, {
    method: 'POST',
    json: { question: 'are you there?', chatId: 'c' },
  })
}

async function conversation(database: Database): Promise<string[]> {
  const rows = await database.select().from(chatMessages).orderBy(chatMessages.createdDate)
  return rows.map(({ content }) => content)
}
