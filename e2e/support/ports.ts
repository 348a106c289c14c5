import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Playwright numbers the workers that run at once, from 0. */
const worker = Number(process.env.TEST_PARALLEL_INDEX || 0)

/** The port of the product. Two runs at once need two `E2E_PORT`s, ten apart; each worker takes three. */
export const productPort = Number(process.env.E2E_PORT || 8790) + 3 * worker
/** The scripted model server of the tests, which the product under test may reach. */
export const modelPort = productPort + 1
/** A provider that a test starts, of OAuth 2 or of something else; the product may reach it too. */
export const oauthPort = productPort + 2
/** The data folder of the product under test; fresh with every worker. */
export const dataDir = join(tmpdir(), `heddle-e2e-${productPort}`)
