import { defineConfig } from '@playwright/test'
import { findBrowser } from './e2e/support/browser.ts'

// Playwright loads this file again in every worker; what the first load finds is handed on by the environment.
if (process.env.TEST_WORKER_INDEX === undefined) {
  const browser = await findBrowser()
  if (browser) process.env.CHROMIUM_PATH = browser
}

/** Each worker has a product on a fresh data folder, and runs whole files of journeys one after the other. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results/browser',
  globalSetup: './e2e/support/build-product.ts',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Upper bounds for a busy machine; journeys go on as soon as they see what they wait for.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./e2e/suite/playwright-reporter.ts']],
  use: {
    viewport: { width: 1400, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // Traces of all journeys would take a third of the runner's processor time. See e2e/README.md.
    screenshot: 'only-on-failure',
    launchOptions: process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {},
  },
})
