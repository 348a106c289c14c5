import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { Outcome } from './outcome.ts'

type Errors = readonly { message: string; stack?: string; diff?: string }[]

const describe = (errors: Errors) =>
  errors.map(({ message, stack, diff }) => [diff, stack ?? message].filter(Boolean).join('\n')).join('\n')

function outcomeOf(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Outcome {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const failed = tests.filter((test) => test.result().state === 'failed')
  const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
  return {
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failed: failed.length,
    skipped: tests.filter((test) => test.result().state === 'skipped').length,
    failures: [
      ...failed.map((test) => ({
        test: `${test.module.moduleId} > ${test.fullName}`,
        message: describe(test.result().errors ?? []),
      })),
      ...suites.flatMap((suite) =>
        suite.errors().length === 0
          ? []
          : [
              {
                test: suite.type === 'module' ? suite.moduleId : `${suite.module.moduleId} > ${suite.fullName}`,
                message: describe(suite.errors()),
              },
            ],
      ),
      ...unhandled.map((error) => ({ test: 'Unhandled error', message: describe([error]) })),
    ],
    tests: tests.flatMap((test) => {
      const { duration } = test.diagnostic() ?? {}
      if (duration === undefined) return []
      const file = relative(process.cwd(), test.module.moduleId).replaceAll('\\', '/')
      return [{ file, title: test.fullName, seconds: duration / 1000 }]
    }),
  }
}

/** Writes a Vitest run's outcome as JSON to the file that `OUTCOME_FILE` names. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.OUTCOME_FILE
    if (!file) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(outcomeOf(modules, unhandled)))
  }
}
