/** Vitest's global setup for worker tests: builds the current worker in a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build/vite-build.ts'

/** Builds into `HEDDLE_DIST` if it is set; otherwise into a folder that is removed afterwards. */
export default async function buildForTests(): Promise<() => void> {
  const given = process.env.HEDDLE_DIST
  const folder = given || mkdtempSync(join(tmpdir(), 'heddle-dist-'))
  process.env.HEDDLE_DIST = folder
  await build('worker')
  return () => {
    if (!given) rmSync(folder, { recursive: true })
  }
}
