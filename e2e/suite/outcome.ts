/** The result of a stage of `npm test`. Its reporter writes it, and `run-all.ts` sums it up. */
export interface Outcome {
  passed: number
  failed: number
  skipped: number
  /** Each failed test, each file that did not load and each unhandled error, with its message. */
  failures: { test: string; message: string }[]
  tests: TestDuration[]
}

export interface TestDuration {
  /** The path from the root of the repository. */
  file: string
  /** The titles of its suites and its own, joined by ` > `. */
  title: string
  seconds: number
}
