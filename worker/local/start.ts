/** `npm start`: runs the production build on this machine. */
import { buildWhenNeeded } from './build.ts'
import { assertAnswers, runProgram } from './cli.ts'
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
