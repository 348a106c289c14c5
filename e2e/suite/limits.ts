/** How long a test may take, by stage. */
import type { Limit } from './durations.ts'

export const LIMITS: Record<'unit' | 'workshop' | 'worker' | 'e2e', Limit> = {
  unit: {
    seconds: 2,
    exceptions: [
      {
        file: 'worker/local/parsers.test.ts',
        title: 'parsers of untrusted text > takes linear time for',
        reason: 'Each case tries hundreds of hostile texts up to a length at which quadratic work shows.',
      },
      {
        file: 'worker/local/patterns.test.ts',
        title: 'finds an expression that is exponential',
        reason: 'Two characters more take four times as long, and each length is measured several times.',
      },
      {
        file: 'worker/engine/budget.test.ts',
        title: 'the log of a run',
        reason: 'The logs that it fills and copies are as large as a run may write.',
      },
      {
        file: 'worker/engine/budget.test.ts',
        title: 'a run with large inputs > ends the same when it continues after any of its steps',
        reason: 'It copies a large log, and fills it again, once for each of its steps.',
      },
      {
        file: 'worker/engine/flow-run.property.test.ts',
        title: '',
        reason: 'Each draws hundreds of random flows: fewer would find less.',
      },
      {
        file: 'db/long-text.test.ts',
        title: 'the embedded server > reads rows that are more than one answer takes',
        reason: 'It writes and reads some 60 MB.',
      },
      {
        file: 'db/long-text.test.ts',
        title: 'the embedded server > says so when a text is gone',
        reason: 'A read is repeated for six seconds, in case its row only changed meanwhile.',
      },
      {
        file: 'db/long-value.test.ts',
        title: 'a long value is read where',
        reason: 'It writes and reads values of more than 24 MB, in pieces.',
      },
      {
        file: 'worker/local/architecture.test.ts',
        title: '',
        reason: 'It parses every file of the repository.',
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
      {
        file: 'worker/areas/triggers/many-due.worker-test.ts',
        title: 'runs each of ',
        reason: 'It starts the whole product twice, and each of hundreds of triggers is a run.',
      },
      {
        file: 'worker/local/start.worker-test.ts',
        title: 'logs where emails go and when it is ready',
        reason: 'It builds the whole product first.',
      },
      {
        file: 'worker/local/backup/servers.worker-test.ts',
        title: 'a backup of a server that is written to holds one moment of it',
        reason: 'It starts the programs of a backup and a restore five times, and Heddle twice.',
      },
      {
        file: 'worker/local/start.worker-test.ts',
        title: 'stops after 25 seconds',
        reason: 'It waits for these 25 seconds.',
      },
    ],
  },
  e2e: { seconds: 60, exceptions: [] },
}
