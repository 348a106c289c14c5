/** `npm test`: every check in order. Goes on after a failure, so that the totals at the end are of everything. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

interface Totals {
  passed: number
  failed: number
}

interface Check {
  script: string
  args?: string[]
  /** Reads the report that the check wrote; a check without one counts only when it fails. */
  count?: (report: never) => Totals
  report?: string
}

const results = resolve(import.meta.dirname, '../../test-results')
const vitestReport = (name: string) => ({
  args: ['--reporter=default', '--reporter=json', `--outputFile.json=${join(results, `${name}.json`)}`],
  report: `${name}.json`,
  count: (report: { numPassedTests: number; numFailedTests: number }) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
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
    count: ({ stats }: { stats: { expected: number; unexpected: number; flaky: number } }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
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
      : { passed: 0, failed: 0 }
  // What failed without a failing test (types, lint, a file that does not load) is one failure.
  return status === 0 ? totals : { ...totals, failed: Math.max(1, totals.failed) }
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const all = checks.map(run)
const passed = all.reduce((sum, totals) => sum + totals.passed, 0)
const failed = all.reduce((sum, totals) => sum + totals.failed, 0)
const line = `${passed} passed, ${failed} failed`
writeFileSync(join(results, 'totals.txt'), `${line}\n`)
console.log(`\n${line}`)
process.exitCode = failed === 0 ? 0 : 1
