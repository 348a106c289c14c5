import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { sessions } from '#db/schema/index.ts'
import { shareDatabase } from './called-workspace.ts'
import type { AppEnv } from './route.ts'

const NO_ROWS = {
  results: [
    { type: 'ok', response: { result: { cols: [], rows: [], affected_row_count: 0, last_insert_rowid: null } } },
  ],
}

/** A database that answers one request at a time, when it is told to. */
function openHeldDatabase() {
  const asked: { id: string; answer: () => void }[] = []
  const db = openDatabase('http://database.test', undefined, {
    fetch: (_, { body }) =>
      new Promise((resolve) => {
        const id = /(busy|quiet)-\d+/.exec(String(body))?.[0] as string
        asked.push({ id, answer: () => resolve(Response.json(NO_ROWS)) })
      }),
  })
  return { db, asked }
}

it('serves a quiet workspace before the hundredth request of a busy one', async () => {
  const { db, asked } = openHeldDatabase()
  const app = new Hono<AppEnv>().use(shareDatabase).get('/:workspace/:id', async (c) => {
    c.set('calledWorkspaceId', c.req.param('workspace'))
    await db
      .select()
      .from(sessions)
      .where(eq(sessions.id, c.req.param('id')))
    return c.text('done')
  })
  const busy = Array.from({ length: 100 }, (_, index) => app.request(`/busy/busy-${index}`))
  const quiet = app.request('/quiet/quiet-0')
  let answered = 0
  while (answered < 101) {
    await new Promise((resolve) => setImmediate(resolve))
    asked[answered]?.answer()
    if (asked[answered]) answered += 1
  }
  await Promise.all([...busy, quiet])
  const inFlight = asked.findIndex(({ id }) => id === 'quiet-0')
  // 32 are in flight, and each caller has one turn in a round.
  expect(inFlight).toBeGreaterThanOrEqual(32)
  expect(inFlight).toBeLessThanOrEqual(33)
})
