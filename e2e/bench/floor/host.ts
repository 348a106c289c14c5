/** The process of the floor: its worker and its database, and beside them the product's database server on the same file. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { startLibsqlServer } from '#db/local/server.ts'
import { distFolder } from '#worker/local/paths.ts'
import { readBuildConfig } from '#worker/local/worker-modules.ts'
import { startPlainDatabase } from './database.ts'

export interface FloorAddresses {
  worker: string
  plainDatabase: string
  productDatabase: { url: string; authToken: string }
}

const [modelUrl = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'heddle-floor-'))
const plainDatabase = await startPlainDatabase(join(folder, 'floor.db'))
const { url, authToken } = await startLibsqlServer({ file: join(folder, 'floor.db') })
const { compatibility_date } = readBuildConfig(join(distFolder(), 'heddle'))
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    name: 'floor',
    host: '127.0.0.1',
    port: 0,
    modules: [{ type: 'ESModule', path: 'index.mjs', contents: workerText() }],
    compatibilityDate: compatibility_date,
    bindings: { DATABASE: plainDatabase, MODEL: modelUrl },
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.ERROR),
  }),
)
const worker = (await miniflare.ready).origin
process.send?.({ worker, plainDatabase, productDatabase: { url, authToken } } satisfies FloorAddresses)

process.once('disconnect', async () => {
  await miniflare.dispose()
  rmSync(folder, { recursive: true })
  process.exit()
})

function workerText(): string {
  return stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'worker.ts'), 'utf8'))
}
