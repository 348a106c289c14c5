import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { credentials } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { type EchoServer, startEchoServer } from '../../../e2e/support/echo-server.ts'
import { chain, directReply, get, start } from '../../../e2e/support/flows.ts'

let heddle: TestHeddle
let echo: EchoServer
let ann: TestClient

beforeAll(async () => {
  echo = await startEchoServer()
  heddle = await startTestHeddle({ allowPrivateHosts: echo.host })
  ann = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await echo.close()
})

const HOUR = 60 * 60 * 1000
const before = (ms: number) => new Date(Date.now() - ms).toISOString()

it('a credential says which flows use it, and when one last did, at no round trip', async () => {
  const draft = { name: 'Token', credentialName: 'httpBearerToken', plainDataObj: { token: 'the-token' } }
  const { id } = (await call(ann, 'POST', '/credentials', draft)).body
  const find = async () => (await call(ann, 'GET', '/credentials')).body[0]
  expect(await find()).toMatchObject({ id, usageCount: 0, lastUsedDate: null })

  const request = get(echo.url)
  request.data.credential = id
  const flowData = JSON.stringify(chain(start(), request, directReply('Done')))
  const flow = (await call(ann, 'POST', '/chatflows', { name: 'F', flowData, type: 'AGENTFLOW' })).body.id
  /** Runs the flow when it was last used at this time. */
  const run = async (lastUsedDate: string | null) => {
    await heddle.database.update(credentials).set({ lastUsedDate }).where(eq(credentials.id, id))
    const trips = heddle.roundTrips()
    expect((await call(ann, 'POST', `/prediction/${flow}`, { question: 'q' })).body.text).toBe('Done')
    return { trips: heddle.roundTrips() - trips, ...(await find()) }
  }
  await run(null)
  const recently = before(HOUR / 2)
  const fresh = await run(recently)
  expect(fresh).toMatchObject({ usageCount: 1, lastUsedDate: recently })
  const stale = await run(before(2 * HOUR))
  expect(Date.now() - Date.parse(stale.lastUsedDate)).toBeLessThan(HOUR)
  expect(stale.trips).toBe(fresh.trips)
})
