import { cloudflare } from '@cloudflare/vite-plugin'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { distFolder } from './worker/local/paths.ts'

/** The browser bundle goes to dist/client, the worker to dist/heddle; both are what the cloud gets. */
export default defineConfig({
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
    cloudflare({ configPath: './wrangler.toml' }),
  ],
  environments: { heddle: { build: { minify: true } } },
  build: { outDir: distFolder(), emptyOutDir: true, sourcemap: false },
})
