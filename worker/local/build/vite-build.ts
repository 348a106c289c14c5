/** Builds the product through Vite's API. */
import { createBuilder, type Plugin } from 'vite'
import { distFolder, root } from '../paths.ts'

interface BuildOptions {
  dist?: string
  /** Before those of `vite.config.ts`. */
  plugins?: Plugin[]
}

/** `all`: browser bundle and worker. `worker`: only the worker, for worker tests. */
export async function build(
  what: 'all' | 'worker',
  { dist = distFolder(), plugins = [] }: BuildOptions = {},
): Promise<void> {
  const builder = await createBuilder({ root, mode: 'production', logLevel: 'warn', build: { outDir: dist }, plugins })
  const worker = builder.environments.heddle
  if (!worker) throw new Error('vite.config.ts has no environment "heddle"')
  await (what === 'all' ? builder.buildApp() : builder.build(worker))
}
