/** Serves the production build until a signal stops it. */

import { buildWhenNeeded } from './build/ensure-build.ts'
import { assertAnswers, runProgram } from './cli.ts'
import { readEnvironment } from './environment.ts'
import { assertPortIsFree } from './port.ts'
import { outboxNote } from './ports/outbox.ts'
import { startHeddle } from './server.ts'

export const serve = () =>
  runProgram(async () => {
    const environment = readEnvironment()
    await assertPortIsFree(environment.port, environment.host)
    await buildWhenNeeded()
    const heddle = await startHeddle(environment)
    await assertAnswers(heddle.url)
    return { ...heddle, note: environment.mail.MAIL_URL ? undefined : outboxNote(environment.dataDir) }
  })
