/** `npm test`: runs every check in order, also after a failure, and ends with the totals of all of them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

interface Totals {
  passed: number
  failed: number
  skipped: number
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

interface Check {
  script: string
  args?: string[]
  /** Counts the tests in the report that the check wrote; a check without a report counts only when it fails. */
  count?: (report: never) => Totals
  report?: string
}

const results = resolve(import.meta.dirname, '../../test-results')
const vitestReport = (name: string) => ({
  args: ['--reporter=default', '--reporter=json', `--outputFile.json=${join(results, `${name}.json`)}`],
  report: `${name}.json`,
  count: (report: VitestReport) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
})

const checks: Check[] = [
  { script: 'types' },
  { script: 'lint' },
  { script: 'test:unit', ...vitestReport('unit') },
  { script: 'test:worker', ...vitestReport('worker') },
  {
    script: 'test:e2e',
    report: 'browser.json',
    count: ({ stats }: PlaywrightReport) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
    }),
  },
]

function run({ script, args = [], report, count }: Check): Totals {
  console.log(`\n--- npm run ${script}`)
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const file = report && join(results, report)
  const totals =
    file && count && existsSync(file)
      ? count(JSON.parse(readFileSync(file, 'utf8')) as never)
      : { passed: 0, failed: 0, skipped: 0 }
  // A check that fails without a failing test (types, lint, a file that does not load) is one failure.
  return status === 0 ? totals : { ...totals, failed: Math.max(1, totals.failed) }
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const all = checks.map(run)
const sum = (count: keyof Totals) => all.reduce((total, totals) => total + totals[count], 0)
const failed = sum('failed')
const skipped = sum('skipped')
const line = `${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
writeFileSync(join(results, 'totals.txt'), `${line}\n`)
console.log(`\n${line}`)
process.exitCode = failed === 0 ? 0 : 1
