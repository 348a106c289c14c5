/** Checks of what an installation reaches over the network: the database server and the bucket. */
import { randomUUID } from 'node:crypto'
import { errorMessage } from '#contract/errors.ts'
import { systemClock } from '../../ports/clock.ts'
import { createS3Client } from '../../ports/s3/requests.ts'
import { listS3Objects } from '../../ports/s3/s3-bucket.ts'
import type { S3Settings } from '../../ports/s3/settings.ts'
import type { Query } from '../move/query.ts'
import { CLOCK_TOLERANCE_MS, type Finding, fail, ok } from './findings.ts'

/** Asks the server for its time. */
export async function* checkServer(query: Query): AsyncGenerator<Finding> {
  // A first call opens the connection, which would count as a difference of the clocks.
  await query('SELECT 1')
  const begun = Date.now()
  const [row] = await query(`SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AS time`)
  const took = Date.now() - begun
  yield ok(`The database server answers in ${took} ms`)
  yield compareClocks('database server', Date.parse(String(row?.time)), begun + took / 2)
}

type Step = 'listed' | 'written' | 'read' | 'deleted from'

/** Lists the bucket, and writes, reads and deletes an object of its own. */
export async function checkBucket(settings: S3Settings, name = 'bucket'): Promise<Finding[]> {
  const { send } = createS3Client(settings, globalThis, systemClock)
  const key = `doctor/${randomUUID()}`
  const body = new TextEncoder().encode(key)
  const faults = new Map<string, Step[]>()
  const attempt = async <Result>(step: Step, work: Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work
    } catch (error) {
      const reason = errorMessage(error).replaceAll('\n', '. ')
      faults.set(reason, [...(faults.get(reason) ?? []), step])
    }
  }
  await attempt('listed', listS3Objects(settings, globalThis).next())
  const written = await attempt('written', send({ method: 'PUT', key, body }))
  const now = Date.now()
  const answer = written && (await attempt('read', send({ method: 'GET', key })))
  if (written) await attempt('deleted from', send({ method: 'DELETE', key }))
  const bucket = `The ${name} ${settings.bucket}`
  if (answer && new TextDecoder().decode(answer.bytes) !== key)
    return [fail(`${bucket} answers with other bytes than were written. Look at its server.`)]
  if (faults.size > 0)
    return [...faults].map(([reason, steps]) => fail(`${bucket} cannot be ${OR.format(steps)}: ${reason}`))
  const time = Date.parse(written?.headers.get('date') ?? '')
  return [
    ok(`${bucket} can be written, read, listed and deleted from`),
    ...(Number.isNaN(time) ? [] : [compareClocks(`${name}'s server`, time, now)]),
  ]
}

const OR = new Intl.ListFormat('en', { type: 'disjunction' })

function compareClocks(of: string, theirs: number, ours: number): Finding {
  const seconds = Math.round((theirs - ours) / 100) / 10
  if (Math.abs(theirs - ours) <= CLOCK_TOLERANCE_MS) return ok(`The clock of the ${of} differs by ${seconds} seconds`)
  return fail(
    `The clock of the ${of} differs by ${seconds} seconds. Let NTP set both clocks: sign-ins and leases depend on them.`,
  )
}
