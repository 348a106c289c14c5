/** Keeps the samples of `deploy` true to the product. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { routes } from '#worker/areas/index.ts'
import { root } from '../paths.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const unit = read('deploy/heddle.service')
const MIB = 1024 * 1024

it('the unit of systemd starts the program of npm start, and gives it the time to stop', () => {
  const { scripts } = JSON.parse(read('package.json'))
  expect(unit).toContain(`\nExecStart=/opt/heddle/node_modules/.bin/${scripts.start}\n`)
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
  expect(seconds).toBeGreaterThanOrEqual(
    Number.parseInt(/stop_grace_period: (\d+)s/.exec(read('compose.yaml'))?.[1] ?? '', 10),
  )
  // Otherwise systemd would stop workerd at once, and with it what runs.
  expect(unit).toMatch(/^KillMode=mixed$/m)
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined

it.skipIf(!hasSystemd)('systemd finds nothing wrong with the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-unit-'))
  const file = join(folder, 'heddle.service')
  // Here the program is not in /opt.
  writeFileSync(file, unit.replaceAll('/opt/heddle', root))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('heddle'))
  expect({ said, status }).toEqual({ said: [], status: 0 })
})

it.each([
  ['nginx.conf', /client_max_body_size (\d+)m;/],
  ['Caddyfile', /max_size (\d+)MiB/],
])('%s takes the largest body that a route takes', (sample, limit) => {
  const largest = Math.max(...routes.map(({ maxBodyBytes = 0 }) => maxBodyBytes))
  expect(Number(limit.exec(read(`deploy/${sample}`))?.[1]) * MIB).toBeGreaterThan(largest)
})
