/** Keeps the samples of `deploy` true to the product. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { routes } from '#worker/areas/index.ts'
import { findSecrets, readEnvironment } from '../environment.ts'
import { root } from '../paths.ts'
import { readSettingNames } from '../testing/setting-names.ts'

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
  // Live runs may end first, and then the database is closed.
  const drainMs = Number(/ DRAIN_MS = (\S+)/.exec(read('worker/local/program.ts'))?.[1]?.replaceAll('_', ''))
  expect(seconds * 1000).toBeGreaterThanOrEqual(drainMs + 5000)
  // Otherwise systemd would stop workerd at once, and with it what runs.
  expect(unit).toMatch(/^KillMode=mixed$/m)
})

it('the unit of systemd keeps data in the one folder that it may write', () => {
  const folder = `/var/lib/${/^StateDirectory=(\S+)$/m.exec(unit)?.[1]}`
  expect(unit).toContain(`\nEnvironment=DATA_DIR=${folder}\n`)
  expect(unit).toContain(`--home-dir ${folder} `)
  expect(unit).toMatch(/^ProtectSystem=strict$/m)
  expect(unit).not.toContain('ReadWritePaths')
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
  ['Caddyfile.machines', /max_size (\d+)MiB/],
])('%s takes the largest body that a route takes', (sample, limit) => {
  const largest = Math.max(...routes.map(({ maxBodyBytes = 0 }) => maxBodyBytes))
  expect(Number(limit.exec(read(`deploy/${sample}`))?.[1]) * MIB).toBeGreaterThan(largest)
})

/** The image sets them. */
const OF_IMAGE = ['PORT', 'LISTEN_HOST', 'DATA_DIR']

it.each(['compose.yaml', 'deploy/compose.machines.yaml'])(
  '%s passes on every setting that the documentation names',
  (file) => {
    const { services } = parse(read(file), { merge: true }) as { services: Record<string, Service> }
    const passed = Object.keys((services.heddle ?? services['heddle-1'])?.environment ?? {})
    expect(readSettingNames().filter((name) => !passed.includes(name) && !OF_IMAGE.includes(name))).toEqual([])
  },
)

it('compose.yaml starts with no setting at all', () => {
  const { services } = parse(read('compose.yaml')) as { services: Record<string, Service> }
  const empty = Object.keys(services.heddle?.environment ?? {}).map((name) => [name, ''])
  expect(readEnvironment(Object.fromEntries(empty))).toEqual(readEnvironment({}))
})

interface Service {
  environment?: Record<string, string>
  depends_on?: string[] | Record<string, unknown>
  volumes?: string[]
  stop_grace_period?: string
}

describe('the services of two machines', () => {
  const compose = parse(read('deploy/compose.machines.yaml'), { merge: true })
  const services = Object.entries(compose.services as Record<string, Service>)
  const heddle = services.filter(([name]) => name.startsWith('heddle-')).map(([, service]) => service)

  it('name only settings that exist, and only services and volumes that are there', () => {
    const documented = readSettingNames()
    const set = [...heddle, compose.services.migrate].flatMap(({ environment = {} }) => Object.keys(environment))
    expect(set.filter((name) => !documented.includes(name))).toEqual([])
    const names = services.map(([name]) => name)
    for (const [, { depends_on: needed = [], volumes = [] }] of services) {
      const others = Array.isArray(needed) ? needed : Object.keys(needed)
      expect(names).toEqual(expect.arrayContaining(others))
      const kept = volumes.map((volume) => volume.split(':')[0] ?? '').filter((name) => !name.startsWith('./'))
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(kept))
    }
  })

  it('start with these settings', () => {
    const given: Record<string, string> = { ...SAMPLE_VALUES }
    const fill = (value: string) => value.replace(/\$\{(\w+)(:\?|:-)\}/g, (_, name) => given[name] ?? '')
    expect(heddle).toHaveLength(2)
    for (const { environment = {} } of heddle) {
      const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]))
      const read = readEnvironment(env)
      expect(findSecrets(read)).toEqual({ MASTER_KEY: given.MASTER_KEY, SESSION_KEY: given.SESSION_KEY })
      expect(read).toMatchObject({ appUrl: 'https://heddle.example.com', database: { url: 'http://database:8080' } })
    }
  })

  it('are what the example of settings and the proxy name', () => {
    const asked = [...read('deploy/compose.machines.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name)
    const example = read('deploy/machines.env.example').match(/^\w+(?==)/gm)
    expect(example).toEqual(expect.arrayContaining([...new Set(asked)]))
    const [, machines = ''] = /reverse_proxy (.+) \{/.exec(read('deploy/Caddyfile.machines')) ?? []
    expect(machines.split(' ')).toEqual(['heddle-1:8788', 'heddle-2:8788'])
    expect(heddle.map(({ stop_grace_period: time }) => time)).toEqual(['30s', '30s'])
  })
})

const SAMPLE_VALUES = {
  DOMAIN: 'heddle.example.com',
  MASTER_KEY: 'M'.repeat(43),
  SESSION_KEY: 'S'.repeat(43),
  S3_ACCESS_KEY_ID: 'heddle',
  S3_SECRET_ACCESS_KEY: 'a-secret',
}
