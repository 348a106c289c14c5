/** `npm run doctor`: examines an installation, also while it runs. Ends with 1 when something must be mended. */
import { reportFailure } from '../cli.ts'
import { readCommandLine } from '../command-line/command-line.ts'
import { readEnvironment } from '../environment.ts'
import { examine } from './checks.ts'

readCommandLine({
  name: 'npm run doctor',
  description:
    'Examines the installation of the settings, also while it runs. Ends with 1 when something must be mended.',
  options: {},
  example: '',
})

try {
  const findings = await examine(readEnvironment())
  for (const { level, text } of findings) console.log(`${level.padEnd(4)}  ${text}`)
  if (findings.some(({ level }) => level === 'fail')) process.exitCode = 1
} catch (error) {
  reportFailure(error)
}
