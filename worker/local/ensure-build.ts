/** Builds in a process that ends, so that the one that serves keeps none of the builder's memory. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fingerprintSources, readFingerprint, writeFingerprint } from './fingerprint.ts'
import { distFolder } from './paths.ts'

/** Builds everything unless the last build used the same files. Throws when the build fails, which says why itself. */
export async function buildWhenNeeded(): Promise<void> {
  const dist = distFolder()
  const fingerprint = fingerprintSources()
  if (readFingerprint(dist) === fingerprint) return
  console.error('Building Heddle. This takes about 20 seconds, and happens only after a change ...')
  const child = fork(join(import.meta.dirname, 'build-program.ts'), { execArgv: [] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The build failed.')
  writeFingerprint(dist, fingerprint)
}
