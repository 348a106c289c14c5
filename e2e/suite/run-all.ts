/**
 * `npm test`: runs every stage, also after a failure. Ends with what failed, where the time went and the totals, which
 * it also writes to `test-results`. With `--deep`, the tests that search at random search longer, and no
 * limits of time apply.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { readCommandLine } from '#worker/local/command-line/command-line.ts'
import { findOverLimit, findStaleExceptions, type Limit, printSlowest, slowestFirst, sumByFile } from './durations.ts'
import { LIMITS } from './limits.ts'
import { coresOfOthers, readProcessorTime } from './machine-load.ts'
import type { Outcome, TestDuration } from './outcome.ts'

/** How many lines of a failure's message the end of the log repeats. */
const MESSAGE_LINES = 20
/** How many tests and files the end of the log names. */
const SLOWEST = 40
/** With more cores busy elsewhere, a limit of time says nothing. */
const QUIET_CORES = 0.2

const { values } = readCommandLine({
  name: 'npm test',
  description: 'Runs types, lint and all tests.',
  options: { deep: { type: 'boolean', description: 'Search longer for rare faults, without limits of time' } },
  example: '',
})
/** Tests that search at random search longer. The limits are for the usual depth. */
const isDeep = values.deep

const results = resolve(import.meta.dirname, '../../test-results')

interface Stage {
  /** A script of package.json. */
  script: string
  /** The limit of its tests, for stages whose reporter writes an outcome. */
  limit?: Limit
}

/** The stages of a group run side by side, so that one computes while another waits; the groups run in order. */
const groups: Stage[][] = [
  [{ script: 'types' }, { script: 'lint' }, { script: 'test:unit', limit: LIMITS.unit }],
  [{ script: 'test:workshop', limit: LIMITS.workshop }],
  [{ script: 'test:worker', limit: LIMITS.worker }],
  [{ script: 'test:e2e', limit: LIMITS.e2e }],
]

interface StageResult extends Stage {
  outcome: Outcome
  seconds: number
}

const NO_TESTS: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], tests: [] }

interface Ended {
  status: number | null
  /** What types and lint print is the message of their failure. Test runners write theirs into the outcome file. */
  output: string
}

/** @param outcomeFile where a test runner's reporter writes; its output is shown as it comes */
async function runScript(args: string[], outcomeFile?: string): Promise<Ended> {
  const child = spawn('npm', ['run', '--silent', ...args], {
    stdio: ['inherit', outcomeFile ? 'inherit' : 'pipe', 'inherit'],
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      ...(outcomeFile && { OUTCOME_FILE: outcomeFile }),
      ...(isDeep && { HEDDLE_DEPTH: 'deep' }),
    },
  })
  let output = ''
  child.stdout?.on('data', (text) => {
    output += text
  })
  const status = await new Promise<number | null>((done) => child.on('close', done))
  return { status, output }
}

const readOutcome = (file: string): Outcome => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : NO_TESTS)

async function runStage(stage: Stage): Promise<StageResult> {
  const { script, limit } = stage
  console.log(`\n--- npm run ${script}`)
  const outcomeFile = limit && join(results, `${script.replace(':', '-')}.json`)
  const start = performance.now()
  const { status, output } = await runScript([script], outcomeFile)
  const seconds = (performance.now() - start) / 1000
  if (output) process.stdout.write(output)
  console.log(`\n--- npm run ${script}: ${seconds.toFixed(0)} s`)
  const outcome = outcomeFile ? readOutcome(outcomeFile) : NO_TESTS
  if (status === 0 || outcome.failed > 0) return { ...stage, outcome, seconds }
  // A stage that fails without a failing test (types, lint, an unhandled error) is one failure.
  return {
    ...stage,
    outcome: addFailure(outcome, `npm run ${script}`, output || `It ended with exit code ${status}.`),
    seconds,
  }
}

const addFailure = (outcome: Outcome, test: string, message: string): Outcome => ({
  ...outcome,
  failed: outcome.failed + 1,
  failures: [...outcome.failures, { test, message }],
})

/**
 * Fails tests over the limit of their stage. They are measured again alone first: other stages may have slowed them.
 * While other programs work, it only tells which they are.
 */
async function checkLimit(result: StageResult): Promise<StageResult> {
  const { script, limit, outcome } = result
  if (!limit || isDeep) return result
  const suspects = findOverLimit(outcome.tests, limit)
  const slow = suspects.length > 0 ? await measureAgain(script, limit, suspects) : []
  const stale = outcome.failed === 0 ? findStaleExceptions(outcome.tests, limit) : []
  const failures = [
    ...slow.map(({ file, title, seconds }) => ({
      test: `${file} > ${title}`,
      message: `It takes ${seconds.toFixed(1)} s of ${limit.seconds} s. Make it faster, or list it with its reason in e2e/suite/limits.ts.`,
    })),
    ...stale.map(({ file, title }) => ({
      test: `${file} > ${title}`,
      message: 'This test is gone. Remove it from e2e/suite/limits.ts.',
    })),
  ]
  return { ...result, outcome: failures.reduce((all, { test, message }) => addFailure(all, test, message), outcome) }
}

async function measureAgain(script: string, limit: Limit, suspects: TestDuration[]): Promise<TestDuration[]> {
  const files = [...new Set(suspects.map(({ file }) => file))]
  console.log(`\n--- npm run ${script}: measures ${files.length} files again`)
  const outcomeFile = join(results, `${script.replace(':', '-')}-again.json`)
  const before = readProcessorTime()
  await runScript([script, '--', ...files], outcomeFile)
  const after = readProcessorTime()
  const again = findOverLimit(readOutcome(outcomeFile).tests, limit)
  const slow = again.filter(({ file, title }) => suspects.some((each) => each.file === file && each.title === title))
  const others = before && after ? coresOfOthers(before, after) : 0
  if (slow.length === 0 || others <= QUIET_CORES) return slow
  console.log(`Other programs used ${others.toFixed(1)} cores meanwhile, so these do not fail:`)
  console.log(printSlowest(slow, slow.length))
  return []
}

const excerpt = (message: string) => stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES).join('\n')

function report(stages: readonly StageResult[], seconds: number): boolean {
  const sum = (count: 'passed' | 'failed' | 'skipped') =>
    stages.reduce((total, { outcome }) => total + outcome[count], 0)
  const tests = stages.flatMap(({ outcome }) => outcome.tests)
  const durations = {
    seconds,
    stages: stages.map((stage) => ({ script: stage.script, seconds: stage.seconds })),
    files: sumByFile(tests),
    tests: slowestFirst(tests),
  }
  writeFileSync(join(results, 'durations.json'), JSON.stringify(durations, null, 1))
  console.log(`\n${printSlowest(tests, SLOWEST)}\n`)
  for (const stage of durations.stages)
    console.log(`${stage.seconds.toFixed(0).padStart(7)} s  npm run ${stage.script}`)
  console.log(`${seconds.toFixed(0).padStart(7)} s  in all`)

  for (const { test, message } of stages.flatMap(({ outcome }) => outcome.failures))
    console.log(`\nFAILED ${test}\n${excerpt(message)}`)
  const skipped = sum('skipped')
  const line = `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  writeFileSync(join(results, 'totals.txt'), `${line}\n`)
  console.log(`\n${line}`)
  return sum('failed') === 0
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const start = performance.now()
const finished: StageResult[] = []
for (const group of groups) finished.push(...(await Promise.all(group.map(runStage))))
const checked: StageResult[] = []
for (const result of finished) checked.push(await checkLimit(result))
process.exitCode = report(checked, (performance.now() - start) / 1000) ? 0 : 1
