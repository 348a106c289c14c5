/**
 * Bundles modules that custom functions can `require` into source text: `import source from './modules/path.ts?guest'`.
 */
import { rolldown } from 'rolldown'
import type { Plugin } from 'vite'

const GUEST = '?guest'

/**
 * Returns a plugin for builds and tests that import `worker/ports/sandbox`. The text is a function of `(host, load)`.
 */
export function guestModules(): Plugin {
  return {
    name: 'guest-modules',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (!id.endsWith(GUEST)) return null
      const resolved = await this.resolve(id.slice(0, -GUEST.length), importer, { skipSelf: true })
      return resolved && `\0guest:${resolved.id}`
    },
    async load(id) {
      if (!id.startsWith('\0guest:')) return null
      const input = id.slice('\0guest:'.length)
      this.addWatchFile(input)
      return `export default ${JSON.stringify(await bundleForGuest(input))}`
    },
  }
}

/** The parts of Node's `process` that the bundled packages need. */
const NODE =
  'const process = { env: {}, argv: [], nextTick: (run, ...args) => Promise.resolve().then(() => run(...args)) }'

async function bundleForGuest(input: string): Promise<string> {
  const bundle = await rolldown({
    input,
    platform: 'browser',
    logLevel: 'silent',
    transform: { define: { global: 'globalThis' } },
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'guest', exports: 'named', minify: true })
  await bundle.close()
  return `(host, load) => { ${NODE}; ${output[0].code}; return guest.default }`
}
