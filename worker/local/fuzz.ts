/** `npm run fuzz -- --calls 50000 --seed 7`: calls every route with random requests from the API description. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { calls: { type: 'string' }, seed: { type: 'string' } } })
const { calls = '5000', seed = String(Math.floor(Math.random() * 2 ** 31)) } = values

const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'worker', 'worker/areas/openapi/fuzz'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, FUZZ_CALLS: calls, FUZZ_SEED: seed },
})
process.exitCode = status ?? 1
