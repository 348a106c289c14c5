import { rmSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { sessionFile, setupToken } from './e2e/support/account.ts'
import { findBrowser } from './e2e/support/browser.ts'
import { dataDir, modelPort, oauthPort, productPort } from './e2e/support/ports.ts'

// Playwright loads this file again in every worker; what the first load finds is handed on by the environment.
if (process.env.TEST_WORKER_INDEX === undefined) {
  const browser = await findBrowser()
  if (browser) process.env.CHROMIUM_PATH = browser
  rmSync(dataDir, { recursive: true, force: true })
}

/** One product on a fresh data folder, its journeys one after the other. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // Upper bounds for a busy machine; journeys go on as soon as they see what they wait for.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./e2e/support/playwright-reporter.ts']],
  use: {
    baseURL: `http://localhost:${productPort}`,
    viewport: { width: 1400, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'retain-on-failure',
    launchOptions: process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {},
  },
  projects: [
    { name: 'setup', testMatch: 'setup.spec.ts' },
    {
      name: 'journeys',
      testMatch: '*.spec.ts',
      testIgnore: 'setup.spec.ts',
      dependencies: ['setup'],
      use: { storageState: sessionFile },
    },
  ],
  webServer: {
    command: 'npm start',
    url: `http://localhost:${productPort}/api/v1/ping`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    env: {
      PORT: String(productPort),
      DATA_DIR: dataDir,
      PLATFORM_TYPE: '',
      SETUP_TOKEN: setupToken,
      ALLOW_PRIVATE_HOSTS: `127.0.0.1:${modelPort},localhost:${modelPort},127.0.0.1:${oauthPort}`,
    },
  },
})
