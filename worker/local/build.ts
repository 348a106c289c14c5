/** Builds the product through vite's own API. */
import { createBuilder } from 'vite'
import { fingerprintSources, readFingerprint, writeFingerprint } from './fingerprint.ts'
import { distFolder, root } from './paths.ts'

/** `all`: browser bundle and worker. `worker`: the worker alone, which is all that worker tests need. */
export async function build(what: 'all' | 'worker'): Promise<void> {
  const builder = await createBuilder({ root, mode: 'production', logLevel: 'warn' })
  const worker = builder.environments.heddle
  if (!worker) throw new Error('vite.config.ts has no environment "heddle"')
  await (what === 'all' ? builder.buildApp() : builder.build(worker))
}

/** Builds everything unless the last build was made from the very same files. */
export async function buildWhenNeeded(): Promise<void> {
  const dist = distFolder()
  const fingerprint = fingerprintSources()
  if (readFingerprint(dist) === fingerprint) return
  await build('all')
  writeFingerprint(dist, fingerprint)
}
