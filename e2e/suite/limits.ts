/** How long a test may take, by stage. */
import type { Limit } from './durations.ts'

export const LIMITS: Record<'unit' | 'workshop' | 'worker' | 'e2e', Limit> = {
  unit: { seconds: 2, exceptions: [] },
  workshop: { seconds: 10, exceptions: [] },
  worker: { seconds: 20, exceptions: [] },
  e2e: { seconds: 60, exceptions: [] },
}
