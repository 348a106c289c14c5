import type { Network } from '../pipeline.ts'

/** A database that refuses each request for good. */
export const refusingNetwork: Network = {
  fetch: async () => Response.json({ message: 'refused' }, { status: 400 }),
}
