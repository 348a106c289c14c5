/** A handle whose first read can travel with another statement, and which answers nothing until it is released. */
import type { InStatement } from '@libsql/client/web'
import type { BatchItem } from 'drizzle-orm/batch'
import { mayWrite } from './may-write.ts'
import type { Answer, Sender } from './sender.ts'
import { type Database, handleFor, senderOf } from './tenant-guard.ts'

export interface HeldRead {
  /** Its statements wait: those of the first request for `give` and `release`, others for `release`. */
  db: Database
  /** What the first request reads; nothing when it may write. Resolves when there is a first request, or with `end`. */
  statements: Promise<BatchItem<'sqlite'>[]>
  /** Says that no request will come. */
  end(): void
  /** Takes the results of `statements`. */
  give(results: unknown[]): void
  /** Without it, whoever asked waits for ever, and sees nothing. */
  release(): void
}

export function holdFirstRead(database: Database): HeldRead {
  const sender = senderOf(database)
  const asked = Promise.withResolvers<InStatement[]>()
  const released = Promise.withResolvers<void>()
  let answers: Answer[] | undefined
  let isFirst = true

  async function send(statements: InStatement[], sendAll: () => Promise<Answer[]>): Promise<Answer[]> {
    const canTravel = isFirst && !statements.some((each) => mayWrite(typeof each === 'string' ? each : each.sql))
    if (isFirst) asked.resolve(canTravel ? statements : [])
    isFirst = false
    await released.promise
    return canTravel && answers ? answers : sendAll()
  }

  const held: Sender = {
    async execute(statement) {
      const [answer] = await send([statement], async () => [await sender.execute(statement)])
      return answer as Answer
    },
    batch: (statements) => send(statements, () => sender.batch(statements)),
  }
  return {
    db: handleFor(database, held),
    statements: asked.promise.then((statements) => statements.map(asBatchItem)),
    end: () => asked.resolve([]),
    give(results) {
      answers = results as Answer[]
    },
    release: () => released.resolve(),
  }
}

/** Looks to Drizzle's batch like a builder, and leaves the answer as it is. */
function asBatchItem(statement: InStatement): BatchItem<'sqlite'> {
  const { sql, args } = typeof statement === 'string' ? { sql: statement, args: [] } : statement
  const built = { getQuery: () => ({ sql, params: args }), mapResult: (answer: unknown) => answer }
  return { _prepare: () => built } as unknown as BatchItem<'sqlite'>
}
