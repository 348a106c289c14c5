import { errorReport } from '#contract/errors.ts'
import type { Readiness } from '#contract/health/health.ts'
import { compareSchema } from '#db/schema-version.ts'
import { orAborted } from '../../ports/deadline.ts'
import type { Services } from '../../services.ts'

/** Milliseconds that a check may take, less than what load balancers wait by default. */
const CHECK_MS = 4_000

type Check = { ok: true } | { ok: false; problem: string }

/**
 * Asks the database and the file storage, both at once, and whether Heddle is stopping. Reasons of failures go to the log only:
 * they may name addresses.
 */
export async function checkReadiness(services: Pick<Services, 'db' | 'fileStorage' | 'machine'>): Promise<Readiness> {
  const signal = AbortSignal.timeout(CHECK_MS)
  const [schema, files, { isStopping }] = await Promise.all([
    settle('database', orAborted(compareSchema(services.db), signal)),
    settle('files', orAborted(services.fileStorage.read('readiness'), signal)),
    services.machine.read(),
  ])
  const checks = {
    database: schema.failed ? failed('The database does not answer. See the log for the reason.') : OK,
    migrations: schema.failed ? failed() : checkMigrations(schema.result),
    files: files.failed ? failed('The file storage does not answer. See the log for the reason.') : OK,
  }
  const stopping = isStopping ? ['Heddle is stopping. It answers until the runs that it works on have ended.'] : []
  const failures = Object.values(checks).flatMap((check) => (check.ok || !check.problem ? [] : [check.problem]))
  return {
    ready: Object.values(checks).every(({ ok }) => ok) && !isStopping,
    checks: { database: word(checks.database), migrations: word(checks.migrations), files: word(checks.files) },
    problems: [...stopping, ...failures],
  }
}

const OK: Check = { ok: true }
const failed = (problem = ''): Check => ({ ok: false, problem })
const word = ({ ok }: Check) => (ok ? 'ok' : 'failed')

type Settled<Result> = { failed: false; result: Result } | { failed: true }

async function settle<Result>(what: string, work: Promise<Result>): Promise<Settled<Result>> {
  try {
    return { failed: false, result: await work }
  } catch (error) {
    console.error(`not ready, ${what}:`, errorReport(error))
    return { failed: true }
  }
}

function checkMigrations({ missing, unknown }: Awaited<ReturnType<typeof compareSchema>>): Check {
  if (unknown > 0)
    return failed('A newer version of Heddle has migrated the database. Run that version, or restore a backup.')
  if (missing > 0) return failed('The database lacks migrations of this version. Run npm run db:migrate.')
  return OK
}
