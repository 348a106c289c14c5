/** `npm run dev`: the product with hot reload, through Vite's development server. */
import { rmSync } from 'node:fs'
import { createServer } from 'vite'
import { viteConfig } from '../../vite.config.ts'
import { guardChildProcess } from './child-process-guard.ts'
import { assertAnswers, runProgram } from './cli.ts'
import { startCronTimer } from './cron-timer.ts'
import { openDatabase } from './database.ts'
import { findSecrets, type LocalEnvironment, readEnvironment } from './environment.ts'
import { root } from './paths.ts'
import { assertPortIsFree } from './port.ts'
import { outboxNote, startOutbox } from './ports/outbox.ts'
import { workerBindings } from './server.ts'
import { openStateDir } from './state-dir.ts'

await runProgram(async () => {
  const environment = readEnvironment()
  await assertPortIsFree(environment.port, environment.host)
  const database = await openDatabase(environment)
  const secrets = findSecrets(environment)
  const stateDir = openStateDir(environment.dataDir, 'v3')
  const outbox = environment.mail.MAIL_URL ? undefined : await startOutbox(environment.dataDir)
  const settings = outbox ? { ...environment, ...withOutbox(environment, outbox) } : environment
  const server = await serve(environment, { vars: workerBindings(settings, { database, secrets }), stateDir })
  const url = `http://127.0.0.1:${environment.port}`
  await assertAnswers(url)
  const stopCron = startCronTimer((minute) => fireCron(url, minute))
  return {
    port: environment.port,
    note: outbox && outboxNote(environment.dataDir),
    async close() {
      stopCron()
      outbox?.close()
      await server.close()
      rmSync(stateDir, { recursive: true, force: true })
      await database.close()
    },
  }
})

async function serve(
  { port, host, publicHosts }: LocalEnvironment,
  { vars, stateDir }: { vars: Record<string, string>; stateDir: string },
) {
  guardChildProcess()
  // Development needs no calls to the outside.
  Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' })
  const server = await createServer({
    ...viteConfig(vars, stateDir),
    root,
    configFile: false,
    logLevel: 'warn',
    server: { host, port, strictPort: true, allowedHosts: namesIn(publicHosts) },
  })
  return server.listen()
}

/** Vite's worker is bound to no handler of this process, so emails go over HTTP. */
function withOutbox({ allowPrivateHosts }: LocalEnvironment, { host }: { host: string }) {
  return {
    allowPrivateHosts: [allowPrivateHosts, host].filter(Boolean).join(','),
    mail: { MAIL_URL: `http://${host}/`, MAIL_KEY: 'none', MAIL_FROM: 'Heddle <heddle@localhost>' },
  }
}

/** Without ports, which Vite ignores. */
function namesIn(hosts = ''): string[] {
  return hosts.split(',').flatMap((host) => host.trim().replace(/:\d+$/, '') || [])
}

async function fireCron(url: string, minute: Date): Promise<void> {
  const response = await fetch(`${url}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time=${minute.getTime()}`)
  if (!response.ok) throw new Error(`The cron job returned ${response.status}: ${await response.text()}`)
}
