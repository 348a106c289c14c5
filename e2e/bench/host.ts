/**
 * The process of what is measured: the product, and beside it the bare worker on the same database. The load and the
 * scripted model server are in the process that forks this one.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { build } from 'vite'
import { executionSteps } from '#db/schema/index.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { distFolder, root } from '#worker/local/paths.ts'
import { type Heddle, startHeddle } from '#worker/local/server.ts'
import { readBuildConfig } from '#worker/local/worker-modules.ts'

export interface HostAddresses {
  url: string
  bareUrl: string
}

/** What the database has done and holds by now. */
export interface Amounts {
  /** Requests that it has answered, this one not. */
  roundTrips: number
  /** Steps of all runs. */
  stepRows: number
  stepBytes: number
}

const [modelHost] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
const heddle = await startHeddle({ dataDir: join(folder, 'data'), port: 0, allowPrivateHosts: modelHost })
const bare = await startBare(heddle)
const database = openUnscopedDatabase(heddle.databaseUrl, heddle.databaseToken)
let asked = 0
process.send?.({ url: heddle.url, bareUrl: (await bare.ready).origin } satisfies HostAddresses)

process.on('message', async (message) => {
  if (message === 'roundTrips') process.send?.(heddle.roundTrips())
  if (message === 'amounts') process.send?.(await amounts())
})
process.once('disconnect', async () => {
  await bare.dispose()
  await heddle.close()
  rmSync(folder, { recursive: true })
})

async function amounts(): Promise<Amounts> {
  const roundTrips = heddle.roundTrips() - asked++
  const [steps] = await database
    .select({
      stepRows: sql<number>`count(*)`,
      stepBytes: sql<number>`coalesce(sum(length(${executionSteps.item})), 0)`,
    })
    .from(executionSteps)
  return { roundTrips, stepRows: 0, stepBytes: 0, ...steps }
}

/** Built and run as the product's worker is. */
async function startBare({ databaseUrl, databaseToken }: Heddle): Promise<Miniflare> {
  const outDir = join(folder, 'bare')
  const { compatibility_date, compatibility_flags } = readBuildConfig(join(distFolder(), 'heddle'))
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['workerd', 'worker', 'browser', 'module', 'import', 'default'] },
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: 'e2e/bench/bare-worker.ts',
      outDir,
      emptyOutDir: true,
      minify: true,
      rollupOptions: { output: { entryFileNames: 'index.js', codeSplitting: false }, external: /^(node|cloudflare):/ },
    },
  })
  return new Miniflare(
    convertV4MiniflareOptions({
      name: 'bare',
      host: '127.0.0.1',
      port: 0,
      modulesRoot: outDir,
      modules: [{ type: 'ESModule', path: join(outDir, 'index.js'), contents: readFileSync(join(outDir, 'index.js')) }],
      compatibilityDate: compatibility_date,
      compatibilityFlags: compatibility_flags,
      bindings: { LIBSQL_URL: databaseUrl, LIBSQL_AUTH_TOKEN: databaseToken },
      cf: false,
      telemetry: { enabled: false },
      log: new Log(LogLevel.ERROR),
    }),
  )
}
