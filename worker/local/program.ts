/** Serves the production build until a signal stops it. */
import { assertAnswers, runProgram } from './cli.ts'
import { buildWhenNeeded } from './ensure-build.ts'
import { readEnvironment } from './environment.ts'
import { assertPortIsFree } from './port.ts'
import { mailboxNote } from './ports/mailbox.ts'
import { startHeddle } from './server.ts'

export const serve = () =>
  runProgram(async () => {
    const environment = readEnvironment()
    await assertPortIsFree(environment.port)
    await buildWhenNeeded()
    const heddle = await startHeddle(environment)
    await assertAnswers(heddle.url)
    return { ...heddle, note: environment.mail.MAIL_URL ? undefined : mailboxNote(environment.dataDir) }
  })
