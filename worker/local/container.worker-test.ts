import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from './paths.ts'
import { type Image, parseDockerfile, runStages } from './testing/dockerfile.ts'
import { findFreePort } from './testing/free-port.ts'

/** `docker build` downloads an image, so a test runs what the Dockerfile says in folders of this machine. */
const stages = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))

/** What an image has: no setting of this test, and the Node that runs it. */
const env = {
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  HOME: process.env.HOME,
  npm_config_prefer_offline: 'true',
}

/** What `npm ci --omit=dev` may take up, in megabytes. */
const MOST_MEGABYTES = 450

let folder: string
let image: Image
const megabytes: Record<string, number> = {}

/** Links the packages of this checkout, which `npm ci` has installed from the same lockfile, unless all of it is asked for. */
function linkPackages(command: string, { cwd }: Image): boolean {
  if (command !== 'npm ci' || process.env.HEDDLE_DEPTH) return false
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'))
  return true
}

function measurePackages(command: string, { cwd }: Image): void {
  if (/^npm ci/.test(command))
    megabytes[command] = Number.parseInt(execFileSync('du', ['-sm', 'node_modules'], { cwd, encoding: 'utf8' }), 10)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-container-'))
  image = runStages(stages, { context: root, folder, env, instead: linkPackages, after: measurePackages })
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000)

it('what the Dockerfile builds starts as in the image, answers its health check, keeps its data in the volume and stops on a signal', async () => {
  const settings = { ...env, ...image.env, PORT: String(await findFreePort()) }
  const [program = '', ...args] = image.cmd
  const server = spawn(program, args, { cwd: image.cwd, env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(server, 'exit').then(([code]) => code as number | null)
  const said: string[] = []
  const ready = new Promise<boolean>((resolve) => {
    server.stdout.on('data', (text) => /is ready/.test(String(text)) && resolve(true))
    server.stderr.on('data', (text) => said.push(String(text)))
  })
  expect(await Promise.race([ready, ended]), said.join('')).toBe(true)
  const checkHealth = () => once(spawn('sh', ['-c', image.healthcheck], { cwd: image.cwd, env: settings }), 'exit')
  expect(await checkHealth()).toEqual([0, null])
  const page = await fetch(`http://127.0.0.1:${settings.PORT}/`)
  expect(await page.text()).toContain('<div id="root">')
  expect(image.volumes.some((volume) => existsSync(join(image.root, volume, 'heddle.db')))).toBe(true)

  server.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(await checkHealth()).toEqual([1, null])
}, 60_000)

it('the image renews its master key, or that of a remote database, with `npm run keys:rotate`', async () => {
  const rotate = (more: Record<string, string> = {}) =>
    spawnSync('npm', ['run', 'keys:rotate'], {
      cwd: image.cwd,
      env: { ...env, ...image.env, ...more },
      encoding: 'utf8',
    })
  expect(rotate()).toMatchObject({ status: 0, stdout: expect.stringContaining('nothing needs the old key any more') })
  const key = () => randomBytes(32).toString('base64url')
  const remote = { LIBSQL_URL: 'http://127.0.0.1:1', MASTER_KEY: key(), MASTER_KEY_PREVIOUS: key() }
  expect(rotate(remote)).toMatchObject({ status: 1, stderr: expect.stringContaining('fetch failed') })
}, 60_000)

it('the image runs as nobody in particular, and without a package that only builds or tests', () => {
  expect(image.user).toMatch(/^[1-9]\d*$/)
  for (const name of ['vite', 'typescript', 'react', 'wrangler', 'vitest'])
    expect(existsSync(join(image.cwd, 'node_modules', name)), name).toBe(false)
})

it('the packages of a server take up at most 450 MB', () => {
  expect(megabytes['npm ci --omit=dev']).toBeGreaterThan(0)
  expect(megabytes['npm ci --omit=dev']).toBeLessThanOrEqual(MOST_MEGABYTES)
})

it('the image starts Node with the flags of `npm start`', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(image.cmd.join(' ')).toBe(scripts.start)
})
