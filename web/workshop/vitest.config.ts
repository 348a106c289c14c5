import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineProject } from 'vitest/config'
import { findBrowser } from '../../e2e/support/browser.ts'

const executablePath = await findBrowser()

/** `workshop`: every story in a browser. */
export default defineProject({
  root: '../..',
  plugins: [react()],
  // All that a page may load later: a package that is found during a run would reload the tests.
  optimizeDeps: { entries: ['web/main.tsx', 'web/widget/widget.ts', 'web/**/*.stories.tsx'] },
  test: {
    name: 'workshop',
    include: ['web/**/*.stories.tsx'],
    // The modules of the product are loaded once for all files.
    isolate: false,
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
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
