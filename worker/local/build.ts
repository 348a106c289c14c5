/** Builds the product through Vite's API. */
import { createBuilder } from 'vite'
import { root } from './paths.ts'

/** `all`: browser bundle and worker. `worker`: only the worker, for worker tests. */
export async function build(what: 'all' | 'worker'): Promise<void> {
  const builder = await createBuilder({ root, mode: 'production', logLevel: 'warn' })
  const worker = builder.environments.heddle
  if (!worker) throw new Error('vite.config.ts has no environment "heddle"')
  await (what === 'all' ? builder.buildApp() : builder.build(worker))
}
