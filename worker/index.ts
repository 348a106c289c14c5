/** The worker's entry and the only reader of the environment: everything is made once per isolate and passed on. */
import type { Hono } from 'hono'
import { openDatabase } from '#db/client.ts'
import { createApp } from './app.ts'
import { purgeSessions } from './areas/auth/purge.ts'
import { routes } from './areas/index.ts'
import { readConfig } from './config.ts'
import type { Env } from './env.ts'
import type { AppEnv } from './http/route.ts'
import { createCipher } from './ports/cipher.ts'
import { systemClock } from './ports/clock.ts'
import type { Services } from './services.ts'

interface Worker {
  app: Hono<AppEnv>
  services: Services
}

let worker: Worker | undefined

function start(env: Env): Worker {
  const config = readConfig(env)
  const services: Services = {
    config,
    db: openDatabase(env.LIBSQL_URL, env.LIBSQL_AUTH_TOKEN),
    ...createPorts({ masterKey: env.MASTER_KEY, allowPrivateHosts: config.allowPrivateHosts }),
  }
  return { services, app: createApp(services, routes, env.ASSETS) }
}

export default {
  fetch(request, env, context) {
    worker ??= start(env)
    return worker.app.fetch(request, env, context)
  },
  async scheduled(_event, env) {
    worker ??= start(env)
    await purgeSessions(worker.services)
  },
} satisfies ExportedHandler<Env>

/** Stand-in until the ports' room has its own. */
function createPorts(options: { masterKey: string; allowPrivateHosts: string[] }) {
  const absent = () => Promise.reject(new Error('This port does not exist yet'))
  return {
    clock: systemClock,
    openOutside: () => ({ egress: { fetch: absent }, sandbox: { run: absent } }),
    cipher: createCipher(options.masterKey),
  }
}
