/** Where the time of `npm test` goes, and which tests take too much of it. */
import type { TestDuration } from './outcome.ts'

interface SlowTest {
  /** As in `TestDuration`. */
  file: string
  /** The beginning of its title, as in `TestDuration`. */
  title: string
  /** Why it takes longer than others may. */
  reason: string
}

export interface Limit {
  /** For each test of the stage. */
  seconds: number
  /** Tests that may take longer. */
  exceptions: readonly SlowTest[]
}

const isListed = (test: TestDuration, { exceptions }: Limit): boolean =>
  exceptions.some(({ file, title }) => file === test.file && test.title.startsWith(title))

/** Returns the tests that take longer than they may. */
export const findOverLimit = (tests: readonly TestDuration[], limit: Limit): TestDuration[] =>
  tests.filter((test) => test.seconds > limit.seconds && !isListed(test, limit))

/** Returns the exceptions that no test needs, because it is gone. */
export const findStaleExceptions = (tests: readonly TestDuration[], { exceptions }: Limit): SlowTest[] =>
  exceptions.filter(({ file, title }) => !tests.some((test) => test.file === file && test.title.startsWith(title)))

/** Returns the sum of the tests of each file, the slowest first. */
export function sumByFile(tests: readonly TestDuration[]): { file: string; seconds: number }[] {
  const files = Map.groupBy(tests, ({ file }) => file)
  return [...files]
    .map(([file, own]) => ({ file, seconds: own.reduce((sum, { seconds }) => sum + seconds, 0) }))
    .sort((a, b) => b.seconds - a.seconds)
}

export const slowestFirst = (tests: readonly TestDuration[]): TestDuration[] =>
  tests.toSorted((a, b) => b.seconds - a.seconds)

/** Returns a table of the slowest tests and files, as text. */
export function printSlowest(tests: readonly TestDuration[], count: number): string {
  const row = (seconds: number, name: string) => `${seconds.toFixed(1).padStart(7)} s  ${name}`
  return [
    `The ${count} slowest tests:`,
    ...slowestFirst(tests)
      .slice(0, count)
      .map(({ file, title, seconds }) => row(seconds, `${file} > ${title}`)),
    '',
    `The ${count} slowest files:`,
    ...sumByFile(tests)
      .slice(0, count)
      .map(({ file, seconds }) => row(seconds, file)),
  ].join('\n')
}
