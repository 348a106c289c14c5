/** `npm run fuzz -- --calls 50000 --seed 7`: calls every route with random requests from the API description. */
import { spawnSync } from 'node:child_process'
import { readCommandLine } from './command-line/command-line.ts'

const { values } = readCommandLine({
  name: 'npm run fuzz',
  description: 'Calls every route with random requests from the API description.',
  options: {
    calls: { type: 'string', value: 'NUMBER', description: 'How many; 5000 if not given' },
    seed: { type: 'string', value: 'NUMBER', description: 'Repeats the calls of a run that named it' },
  },
  example: '--calls 50000 --seed 7',
})
const { calls = '5000', seed = String(Math.floor(Math.random() * 2 ** 31)) } = values

const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'worker', 'worker/areas/openapi/fuzz'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, FUZZ_CALLS: calls, FUZZ_SEED: seed },
})
process.exitCode = status ?? 1
