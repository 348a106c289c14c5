/** What a whole test suite came to, as `npm test` sums it up. */
export interface Outcome {
  passed: number
  failed: number
  skipped: number
  /** Each failed test, each file that did not load and each unhandled error, with its message. */
  failures: { test: string; message: string }[]
}
