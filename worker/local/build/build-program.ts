/** `npm run build`, and the child process of `ensure-build.ts`: builds everything that `npm start` serves, and exits. */

import { packAssets } from '../assets/packed-assets.ts'
import { distFolder } from '../paths.ts'
import { removeBuildRecord, writeBuildRecord } from './build-record.ts'
import { fingerprintSources } from './fingerprint.ts'
import { build } from './vite-build.ts'

process.once('disconnect', () => process.exit(1))
const dist = distFolder()
const fingerprint = fingerprintSources()
removeBuildRecord(dist)
await build('all')
await packAssets(dist)
writeBuildRecord(dist, fingerprint)
process.exit(0)
