import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloudflare } from '@cloudflare/vite-plugin'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'
import { allowApi } from './worker/local/assets/headers-file.ts'
import { chunkGroups, preloadPages } from './worker/local/browser-bundle.ts'
import { firstPaint } from './worker/local/first-paint.ts'
import { guestModules } from './worker/local/guest-modules.ts'
import { distFolder } from './worker/local/paths.ts'
import { widgetBundle } from './worker/local/widget-bundle.ts'

/**
 * The browser bundle goes to dist/client, the worker to dist/heddle; both are what the cloud gets.
 * `vars` become the worker's environment while developing and `stateDir` holds its buckets; a build has neither.
 */
export function viteConfig(vars: Record<string, string> = {}, stateDir?: string): UserConfig {
  return {
    publicDir: 'web/public',
    plugins: [
      tanstackRouter({
        target: 'react',
        autoCodeSplitting: true,
        routesDirectory: 'web/routes',
        generatedRouteTree: 'web/routeTree.gen.ts',
        quoteStyle: 'single',
      }),
      react(),
      guestModules(),
      apiInHeaders(),
      preloadPages(),
      firstPaint(),
      widgetBundle(),
      cloudflare({
        configPath: './wrangler.toml',
        // An environment of wrangler.toml changes the worker's name, not where it is built.
        viteEnvironment: { name: 'heddle' },
        config: stateDir === undefined ? {} : (config) => develop(config, vars),
        persistState: stateDir !== undefined && { path: stateDir },
        inspectorPort: false,
      }),
    ],
    environments: {
      heddle: { build: { minify: true, sourcemap: true } },
      client: {
        build: {
          rolldownOptions: {
            output: { codeSplitting: { groups: chunkGroups } },
            // So that components of packages that no page shows are left out.
            treeshake: { manualPureFunctions: ['memo', 'forwardRef', 'createContext'] },
          },
        },
      },
    },
    build: { outDir: distFolder(), emptyOutDir: true, sourcemap: false, chunkSizeWarningLimit: 2000 },
  }
}

/** Vite's server answers for files itself. */
function develop(config: { vars: object; assets?: { run_worker_first?: string[] | boolean } }, vars: object): void {
  config.vars = { ...config.vars, ...vars }
  if (config.assets) config.assets.run_worker_first = ['/api/*', '/v1/*', '/scim/*']
}

/** Pages that are built for an API elsewhere are sent with leave to call it. */
function apiInHeaders(): Plugin {
  let apiBase: string | undefined
  return {
    name: 'api-in-headers',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved({ env }) {
      apiBase = env.VITE_API_BASE_URL
    },
    writeBundle({ dir = '' }) {
      const file = join(dir, '_headers')
      if (apiBase) writeFileSync(file, allowApi(readFileSync(file, 'utf8'), apiBase))
    },
  }
}

export default viteConfig()
