import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineProject } from 'vitest/config'
import { findBrowser } from '../../e2e/support/browser.ts'

const executablePath = await findBrowser()

/** `workshop`: every story in a browser. */
export default defineProject({
  root: '../..',
  plugins: [react()],
  optimizeDeps: { entries: ['web/**/*.stories.tsx'] },
  test: {
    name: 'workshop',
    include: ['web/**/*.stories.tsx'],
    // The modules of the product are loaded once for all files.
    isolate: false,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: executablePath ? { executablePath } : {},
        contextOptions: { reducedMotion: 'reduce' },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
