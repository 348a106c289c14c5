// @defends file-unpacks-memory
// @defends xml-file-expands
// @defends file-many-pages
/** Broken and hostile files in a process of 128 MB of heap, as a worker has. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileFiles } from './testing/hostile-files.ts'

const program = fileURLToPath(new URL('testing/read-files.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'heddle-hostile-'))

interface Outcome {
  text?: string
  error?: string
  ms?: number
}

let outcomes: Outcome[] = []
let problem = ''

beforeAll(() => {
  const paths = hostileFiles.map(({ name, bytes }, index) => {
    const path = join(folder, `${index}-${name}`)
    writeFileSync(path, bytes())
    return path
  })
  const { stdout, stderr } = spawnSync(process.execPath, ['--max-old-space-size=128', program, ...paths], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  outcomes = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome)
  problem = stderr.slice(-2000)
}, 300_000)

afterAll(() => rmSync(folder, { recursive: true }))

describe('a process with a heap of 128 MB', () => {
  it.each(hostileFiles.map((file, index) => ({ ...file, index })))(
    'reads or refuses $what',
    ({ index, reads, refuses }) => {
      const outcome = outcomes[index]
      expect(outcome, problem).toBeDefined()
      if (refuses) expect(outcome?.error).toContain(`UnreadableError: `)
      if (refuses) expect(outcome?.error).toContain(refuses)
      else expect(outcome?.text, outcome?.error).toContain(reads)
      expect(outcome?.ms).toBeLessThan(20_000)
    },
  )
})
