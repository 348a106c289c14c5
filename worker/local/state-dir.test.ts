import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStateDir } from './state-dir.ts'

it('deletes what a killed process left, and takes a folder that nobody else deletes', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-state-'))
  const killed = openStateDir(dataDir)
  writeFileSync(join(killed, 'half'), 'written')
  const next = openStateDir(dataDir)
  expect(existsSync(killed)).toBe(false)
  expect(next).not.toBe(killed)
  for (const folder of [next, dataDir]) rmSync(folder, { recursive: true })
})
