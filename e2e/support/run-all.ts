/** `npm test`: runs every check in order, also after a failure, and ends with what failed and the totals of all of them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Outcome } from './outcome.ts'

/** How many lines of a failure's message the end of the log repeats. */
const MESSAGE_LINES = 20

const results = resolve(import.meta.dirname, '../../test-results')

const checks = [
  { script: 'types' },
  { script: 'lint' },
  { script: 'test:unit', outcomeFile: join(results, 'unit.json') },
  { script: 'test:worker', outcomeFile: join(results, 'worker.json') },
  { script: 'test:e2e', outcomeFile: join(results, 'e2e.json') },
]

const noTests: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [] }

function run({ script, outcomeFile }: (typeof checks)[number]): Outcome {
  console.log(`\n--- npm run ${script}`)
  const { status, stdout } = spawnSync('npm', ['run', '--silent', script], {
    // What types and lint find is the message of their failure. The test runners write theirs into the outcome file.
    stdio: ['inherit', outcomeFile ? 'inherit' : 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
    env: { ...process.env, ...(outcomeFile && { OUTCOME_FILE: outcomeFile }) },
  })
  if (stdout) process.stdout.write(stdout)
  const outcome: Outcome =
    outcomeFile && existsSync(outcomeFile) ? JSON.parse(readFileSync(outcomeFile, 'utf8')) : noTests
  if (status === 0 || outcome.failed > 0) return outcome
  // A check that fails without a failing test (types, lint, an unhandled error) is one failure.
  return {
    ...outcome,
    failed: 1,
    failures: [
      ...outcome.failures,
      { test: `npm run ${script}`, message: stdout || `It ended with exit code ${status}.` },
    ],
  }
}

const excerpt = (message: string) => stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES).join('\n')

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const outcomes = checks.map(run)
const sum = (count: 'passed' | 'failed' | 'skipped') => outcomes.reduce((total, outcome) => total + outcome[count], 0)
const failed = sum('failed')
const skipped = sum('skipped')
for (const { test, message } of outcomes.flatMap(({ failures }) => failures))
  console.log(`\nFAILED ${test}\n${excerpt(message)}`)
const line = `${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
writeFileSync(join(results, 'totals.txt'), `${line}\n`)
console.log(`\n${line}`)
process.exitCode = failed === 0 ? 0 : 1
