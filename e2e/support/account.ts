import { join } from 'node:path'
import { dataDir } from './ports.ts'

/** The first account of the product under test: its administrator. */
export const account = { name: 'Ada Weaver', email: 'ada@example.com', password: 'Shuttle-and-warp-7' }

/** Cookies and local storage of the signed-in account. */
export const sessionFile = join(dataDir, 'signed-in.json')
