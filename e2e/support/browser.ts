/** Which browser the tests use, without downloading one. */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium'

const INSTALLED = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * `CHROMIUM_PATH`, else the Chromium of the npm package, else an installed one. Undefined leaves the choice to
 * Playwright, which finds what `npx playwright install` put there. Call it once: unpacking takes two seconds.
 */
export async function findBrowser(): Promise<string | undefined> {
  return process.env.CHROMIUM_PATH || (await unpackBrowser()) || INSTALLED.find(runs)
}

/** The package holds a Chromium for Linux on x64 only. */
async function unpackBrowser(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const path = await chromium.executablePath()
  if (runs(path)) return path
  // A machine without the libraries of a desktop: the package brings those too.
  const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin/al2023.tar.br')
  await inflate(packed)
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'))
  return runs(path) ? path : undefined
}

function runs(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
