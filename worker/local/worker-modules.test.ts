import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readModules, type WorkerModules } from './worker-modules.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-build-'))
let modules: WorkerModules

beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'wrangler.json'), JSON.stringify({ main: 'index.js' }))
  writeFileSync(join(folder, 'index.js'), 'export default "ä"')
  writeFileSync(join(folder, 'assets/part.js'), 'export const part = 1')
  writeFileSync(join(folder, 'assets/code.wasm'), new Uint8Array([0, 255]))
  modules = readModules(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

const ask = (specifier: string) =>
  modules.answer({ url: `http://localhost/?specifier=${encodeURIComponent(specifier)}&rawSpecifier=x` })

it('answers imports with the files of the build', async () => {
  expect(await ask('/index.js').json()).toEqual({ name: 'index.js', esModule: 'export default "ä"' })
  expect(await ask('/assets/part.js').json()).toEqual({ name: 'assets/part.js', esModule: 'export const part = 1' })
  expect(await ask('/assets/code.wasm').json()).toEqual({ name: 'assets/code.wasm', wasm: [0, 255] })
})

it('the worker gets only code files of the build', () => {
  for (const path of ['/wrangler.json', '/../index.js', '/assets', '/', '']) expect(ask(path).status).toBe(404)
})

it('keeps what was built when it started', async () => {
  writeFileSync(join(folder, 'index.js'), 'export default 2')
  expect(await ask('/index.js').json()).toMatchObject({ esModule: 'export default "ä"' })
})
