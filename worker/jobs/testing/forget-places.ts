import { vi } from 'vitest'
import { placesForLost } from '../places.ts'

/** Ends the places that a test kept in its own process, which later tests share. */
export function forgetPlaces(): void {
  vi.setSystemTime(Date.now() + 60_000)
  placesForLost()
  vi.useRealTimers()
}
