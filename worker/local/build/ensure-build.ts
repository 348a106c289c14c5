/** Builds in a process that ends, so that the one that serves keeps none of the builder's memory. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { distFolder } from '../paths.ts'
import { assertServable, readBuildRecord } from './build-record.ts'
import { fingerprintSources } from './fingerprint.ts'

/**
 * Builds everything unless the last build used the same files. Where the packages that build are not installed
 * (`npm ci --omit=dev`), the build must be there already. Throws when it is not, or when the build fails, which says why
 * itself.
 */
export async function buildWhenNeeded(): Promise<void> {
  const dist = distFolder()
  if (!hasBuilder()) return assertServable(dist)
  if (readBuildRecord(dist)?.fingerprint === fingerprintSources()) return
  console.error('Building Heddle. This takes about 20 seconds, and happens only after a change ...')
  const child = fork(join(import.meta.dirname, 'build-program.ts'), { execArgv: [] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The build failed.')
}

function hasBuilder(): boolean {
  try {
    import.meta.resolve('vite')
    return true
  } catch {
    return false
  }
}
