/** `npm start`: runs the production build on this machine. */

import { assertAnswers, runProgram } from './cli.ts'
import { buildWhenNeeded } from './ensure-build.ts'
import { readEnvironment } from './environment.ts'
import { assertPortIsFree } from './port.ts'
import { startHeddle } from './server.ts'

await runProgram(async () => {
  const environment = readEnvironment()
  await assertPortIsFree(environment.port)
  await buildWhenNeeded()
  const heddle = await startHeddle(environment)
  await assertAnswers(heddle.url)
  return heddle
})
