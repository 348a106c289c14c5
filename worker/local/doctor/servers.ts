/** Checks of what an installation reaches over the network: the database server and the bucket. */
import { randomUUID } from 'node:crypto'
import { errorMessage } from '#contract/errors.ts'
import { systemClock } from '../../ports/clock.ts'
import { createS3Client } from '../../ports/s3/requests.ts'
import type { S3Settings } from '../../ports/s3/settings.ts'
import type { Query } from '../move/query.ts'
import { CLOCK_TOLERANCE_MS, type Finding, fail, ok } from './findings.ts'

/** Asks the server for its time. */
export async function checkServer(query: Query): Promise<Finding[]> {
  // A first call opens the connection, which would count as a difference of the clocks.
  await query('SELECT 1')
  const begun = Date.now()
  const [row] = await query(`SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AS time`)
  const took = Date.now() - begun
  const reached = ok(`The database server answers in ${took} ms`)
  return [reached, compareClocks('database server', Date.parse(String(row?.time)), begun + took / 2)]
}

/** Writes, reads and deletes an object of its own. */
export async function checkBucket(settings: S3Settings, name = 'bucket'): Promise<Finding[]> {
  const { send } = createS3Client(settings, globalThis, systemClock)
  const key = `doctor/${randomUUID()}`
  const body = new TextEncoder().encode(key)
  try {
    const { headers } = await send({ method: 'PUT', key, body })
    const now = Date.now()
    const { bytes } = await send({ method: 'GET', key })
    await send({ method: 'DELETE', key })
    if (new TextDecoder().decode(bytes) !== key)
      return [fail(`The ${name} ${settings.bucket} answers with other bytes than were written. Look at its server.`)]
    const written = ok(`The ${name} ${settings.bucket} can be written, read and deleted from`)
    const time = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(time) ? [written] : [written, compareClocks(`${name}'s server`, time, now)]
  } catch (error) {
    return [fail(`The ${name} ${settings.bucket}: ${errorMessage(error).replaceAll('\n', '. ')}`)]
  }
}

function compareClocks(of: string, theirs: number, ours: number): Finding {
  const seconds = Math.round((theirs - ours) / 100) / 10
  if (Math.abs(theirs - ours) <= CLOCK_TOLERANCE_MS) return ok(`The clock of the ${of} differs by ${seconds} seconds`)
  return fail(
    `The clock of the ${of} differs by ${seconds} seconds. Let NTP set both clocks: sign-ins and leases depend on them.`,
  )
}
