import { defineConfig } from 'vitest/config'
import { guestModules } from './worker/local/guest-modules.ts'
import { byDepth } from './worker/local/testing/depth.ts'

const TEST_TIMEOUT_MS = byDepth(30_000, 900_000)

/** `unit`: pure code beside its source. `worker`: the built worker in workerd against the embedded database. */
export default defineConfig({
  test: {
    reporters: ['default', './e2e/suite/vitest-reporter.ts'],
    projects: [
      './web/workshop/vitest.config.ts',
      {
        plugins: [guestModules()],
        test: {
          name: 'unit',
          include: ['{web,worker,db,e2e}/**/*.test.{ts,tsx}'],
          environment: 'node',
          testTimeout: TEST_TIMEOUT_MS,
          // To load every module anew for each file would take longer than the tests.
          isolate: false,
          unstubGlobals: true,
          setupFiles: ['./worker/local/testing/clean-prototypes.ts'],
        },
      },
      {
        test: {
          name: 'worker',
          isolate: false,
          include: ['{worker,db,e2e}/**/*.worker-test.ts'],
          environment: 'node',
          globalSetup: ['./worker/local/build-for-tests.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: 60_000,
          // A second, the default, is short for a job on a busy machine.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
