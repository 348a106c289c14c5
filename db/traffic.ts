/** Numbers for operators of what a client of the database does. Each client fills in its own. */
export interface Traffic {
  /** Requests that were repeated, because they had changed nothing. */
  repeats: number
  /** Returns the requests that are in flight and those that wait for their turn. */
  count(): { inFlight: number; waiting: number }
}

export const createTraffic = (): Traffic => ({ repeats: 0, count: () => ({ inFlight: 0, waiting: 0 }) })
