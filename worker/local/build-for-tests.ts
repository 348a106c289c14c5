/** Vitest's global set-up for worker tests: builds the worker as it is now, where no other build is. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.ts'

/** A given `HEDDLE_DIST` is built into and kept; without it a folder is made and removed afterwards. */
export default async function buildForTests(): Promise<() => void> {
  const given = process.env.HEDDLE_DIST
  const folder = given || mkdtempSync(join(tmpdir(), 'heddle-dist-'))
  process.env.HEDDLE_DIST = folder
  await build('worker')
  return () => {
    if (!given) rmSync(folder, { recursive: true })
  }
}
