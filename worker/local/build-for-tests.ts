/** Vitest's global setup for worker tests: builds the current worker, and migrates a database to start from. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { build } from './build/vite-build.ts'
import { openDatabase } from './database.ts'
import { startHeddle } from './server.ts'
import { API_DESCRIPTION } from './testing/judged-fetch.ts'
import { TEST_DATABASE } from './testing/template-database.ts'

/**
 * Hashes passwords at a fraction of their cost: tests sign up hundreds of people. Only this build can: no setting makes
 * passwords of the product cheap. Its cost is proven by unit tests and paid by journeys.
 */
const cheapPasswords: Plugin = {
  name: 'cheap-passwords',
  load: (id) => (id.endsWith('/auth/password-cost.ts') ? 'export const PASSWORD_COST = { ln: 4, r: 8, p: 1 }' : null),
}

/** Builds into a folder of its own, below the temporary ones, that is removed afterwards. */
export default async function buildForTests(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-dist-'))
  process.env.HEDDLE_DIST = folder
  await build('worker', { plugins: [cheapPasswords] })
  const { close } = await openDatabase({ dataDir: join(folder, TEST_DATABASE) })
  await close()
  await describeBuild(folder)
  return () => rmSync(folder, { recursive: true })
}

/** Writes what the built worker says of its API: to read its sources instead would take each process of tests seconds. */
async function describeBuild(folder: string): Promise<void> {
  const dataDir = join(folder, 'described')
  const { url, close } = await startHeddle({ dataDir, port: 0, cron: false })
  const response = await fetch(`${url}/api/v1/openapi.json`)
  writeFileSync(join(folder, API_DESCRIPTION), await response.text())
  await close()
}
