import type { Clock } from './types.ts'

export const systemClock: Clock = { now: () => new Date() }
