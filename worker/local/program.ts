/** Serves the production build until a signal stops it. */

import { buildWhenNeeded } from './build/ensure-build.ts'
import { assertAnswers, runProgram } from './cli.ts'
import { type LocalEnvironment, readEnvironment } from './environment.ts'
import { assertPortIsFree } from './port.ts'
import { outboxNote } from './ports/outbox.ts'
import { type Heddle, startHeddle } from './server.ts'

/** Less than the 30 seconds that container platforms wait before they kill. */
const DRAIN_MS = 25_000

export const serve = () =>
  runProgram(async () => {
    const environment = readEnvironment()
    const backups = await planBackups(environment)
    await assertPortIsFree(environment.port, environment.host)
    await buildWhenNeeded()
    const heddle = await startHeddle({ ...environment, readBackups: backups?.read })
    await assertAnswers(heddle.url)
    await backups?.begin()
    return {
      ...heddle,
      close: () => {
        backups?.stop()
        return stop(heddle)
      },
      note: environment.mail.MAIL_URL ? undefined : outboxNote(environment.dataDir),
    }
  })

/** Few have a schedule, so what it needs is no part of every start. */
async function planBackups(environment: LocalEnvironment) {
  if (!environment.backups?.schedule) return undefined
  const { scheduleBackups } = await import('./backup/schedule.ts')
  return scheduleBackups(environment)
}

/** Lets live runs end first. Those that take longer are continued by the next start. */
async function stop(heddle: Heddle): Promise<void> {
  const left = await heddle.drain(DRAIN_MS, (runs) =>
    console.log(`Stopping once ${count(runs)} ended, or in ${DRAIN_MS / 1000} seconds.`),
  )
  if (left > 0) console.log(`The next start continues ${left === 1 ? 'the run' : `the ${left} runs`} that did not end.`)
  await heddle.close()
}

const count = (runs: number) => (runs === 1 ? '1 run has' : `${runs} runs have`)
