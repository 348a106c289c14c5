import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter'
import type { Outcome } from './outcome.ts'

const describe = (errors: readonly TestError[]) =>
  errors.map(({ stack, message, value }) => stack ?? message ?? value ?? '').join('\n')

function outcomeOf(tests: readonly TestCase[], errors: readonly TestError[]): Outcome {
  // A journey that passes only when it is tried again has failed.
  const failed = tests.filter((test) => ['unexpected', 'flaky'].includes(test.outcome()))
  return {
    passed: tests.filter((test) => test.outcome() === 'expected').length,
    failed: failed.length,
    skipped: tests.filter((test) => test.outcome() === 'skipped').length,
    failures: [
      ...failed.map((test) => ({
        test: test.titlePath().filter(Boolean).join(' > '),
        message: describe(test.results.flatMap((result) => result.errors)),
      })),
      ...errors.map((error) => ({ test: 'Error outside of tests', message: describe([error]) })),
    ],
    tests: tests.flatMap((test) => {
      const seconds = test.results.reduce((sum, { duration }) => sum + duration, 0) / 1000
      return test.outcome() === 'skipped' ? [] : [{ file: fileOf(test), title: titleOf(test), seconds }]
    }),
  }
}

const fileOf = ({ location }: TestCase): string => relative(process.cwd(), location.file).replaceAll('\\', '/')

/** Without the project and the file. */
const titleOf = (test: TestCase): string => test.titlePath().slice(3).join(' > ')

/** Writes a Playwright run's outcome as JSON to the file that `OUTCOME_FILE` names. */
export default class OutcomeReporter implements Reporter {
  private suite?: Suite
  private readonly errors: TestError[] = []

  onBegin(_config: FullConfig, suite: Suite): void {
    this.suite = suite
  }

  onError(error: TestError): void {
    this.errors.push(error)
  }

  onEnd(): void {
    const file = process.env.OUTCOME_FILE
    if (!file) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(outcomeOf(this.suite?.allTests() ?? [], this.errors)))
  }
}
