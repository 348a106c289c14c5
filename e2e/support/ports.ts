import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the browser tests find things; two runs at once need two `E2E_PORT`s, three apart. */
export const productPort = Number(process.env.E2E_PORT || 8790)
/** The scripted model server of the tests, which the product under test may reach. */
export const modelPort = productPort + 1
/** A provider that a test starts, of OAuth 2 or of something else; the product may reach it too. */
export const oauthPort = productPort + 2
/** The data folder of the product under test; fresh with every run. */
export const dataDir = join(tmpdir(), `heddle-e2e-${productPort}`)
