import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const noTests = join(import.meta.dirname, 'no-tests.ts')

/** `npm run workshop`: the page that shows all stories. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../../node_modules/.vite-workshop',
  publicDir: '../public',
  plugins: [react()],
  resolve: { alias: { 'vitest/browser': noTests, vitest: noTests } },
  server: { port: 8790, fs: { allow: ['../..'] } },
})
