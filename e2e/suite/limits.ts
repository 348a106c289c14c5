/** How long a test may take, by stage. */
import type { Limit } from './durations.ts'

export const LIMITS: Record<'unit' | 'workshop' | 'worker' | 'e2e', Limit> = {
  unit: {
    seconds: 2,
    exceptions: [
      {
        file: 'worker/local/parsers.test.ts',
        title: 'takes linear time for',
        reason: 'Each case tries hundreds of hostile texts up to a length at which quadratic work shows.',
      },
    ],
  },
  workshop: { seconds: 10, exceptions: [] },
  worker: {
    seconds: 20,
    exceptions: [
      {
        file: 'worker/runs/recovery/kill.worker-test.ts',
        title: 'a run of 12 steps whose process is killed after each of them',
        reason: 'It starts the whole product thirteen times.',
      },
    ],
  },
  e2e: { seconds: 60, exceptions: [] },
}
