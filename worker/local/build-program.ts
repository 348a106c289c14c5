/** Builds everything and exits: the child process of `ensure-build.ts`. */

import { packAssets } from './assets/packed-assets.ts'
import { build } from './build.ts'
import { distFolder } from './paths.ts'

process.once('disconnect', () => process.exit(1))
await build('all')
await packAssets(distFolder())
process.exit(0)
