/** Serves the production build until a signal stops it. */
import { assertAnswers, runProgram } from './cli.ts'
import { buildWhenNeeded } from './ensure-build.ts'
import { readEnvironment } from './environment.ts'
import { assertPortIsFree } from './port.ts'
import { mailboxFolder } from './ports/mailbox.ts'
import { startHeddle } from './server.ts'

const lettersNote = (dataDir: string) =>
  `Letters are written to ${mailboxFolder(dataDir)}, because MAIL_URL is not set.`

export const serve = () =>
  runProgram(async () => {
    const environment = readEnvironment()
    await assertPortIsFree(environment.port)
    await buildWhenNeeded()
    const heddle = await startHeddle(environment)
    await assertAnswers(heddle.url)
    return { ...heddle, note: environment.mail.MAIL_URL ? undefined : lettersNote(environment.dataDir) }
  })
