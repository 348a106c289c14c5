/** Builds the product through Vite's API. */
import { createBuilder } from 'vite'
import { fingerprintSources, readFingerprint, writeFingerprint } from './fingerprint.ts'
import { distFolder, root } from './paths.ts'

/** `all`: browser bundle and worker. `worker`: only the worker, for worker tests. */
export async function build(what: 'all' | 'worker'): Promise<void> {
  const builder = await createBuilder({ root, mode: 'production', logLevel: 'warn' })
  const worker = builder.environments.heddle
  if (!worker) throw new Error('vite.config.ts has no environment "heddle"')
  await (what === 'all' ? builder.buildApp() : builder.build(worker))
}

/** Builds everything unless the last build used the same files. */
export async function buildWhenNeeded(): Promise<void> {
  const dist = distFolder()
  const fingerprint = fingerprintSources()
  if (readFingerprint(dist) === fingerprint) return
  await build('all')
  writeFingerprint(dist, fingerprint)
}
