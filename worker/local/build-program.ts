/** Builds everything and exits: the child process of `ensure-build.ts`. */
import { build } from './build.ts'

process.once('disconnect', () => process.exit(1))
await build('all')
process.exit(0)
