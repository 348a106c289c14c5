/**
 * Mounts the areas' routes under /api/v1, OpenAI's under /v1 and SCIM's at the root too, behind shared middleware. Every
 * other path serves the pages.
 */
import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Env } from './env.ts'
import { setActor } from './http/actor.ts'
import { finishAhead } from './http/ahead.ts'
import { bodyLimit, DEFAULT_BODY_BYTES, drainRefused } from './http/body-limit.ts'
import { shareDatabase } from './http/called-workspace.ts'
import { compressResponses } from './http/compress.ts'
import { checkConfirmed } from './http/confirmed.ts'
import { decode } from './http/decode.ts'
import { errorJson, handleError } from './http/errors.ts'
import { recordFailures } from './http/failures.ts'
import { apiHeaders, embedCors, uiCors } from './http/headers.ts'
import { checkOrigin } from './http/origin.ts'
import { checkPermission } from './http/permission.ts'
import { limitAddress } from './http/rate-limit.ts'
import { logRequest } from './http/request-log.ts'
import { countRequest } from './http/request-metrics.ts'
import type { Access, AppEnv, Route } from './http/route.ts'
import { checkHost } from './http/served-host.ts'
import type { Services } from './services.ts'

const BASE = '/api/v1'
/** Where clients of OpenAI look. */
const OPENAI_BASE = '/v1'
/** Every path below them is the API's: `run_worker_first` of wrangler.toml lists the same, and the paths of files. */
const API_PATHS = ['/api/*', `${OPENAI_BASE}/*`, '/scim/*']

/** Throws when a route declares no access rule, audit rule, summary, answer, or question before large bodies. */
export function createApp(services: Services, routes: Route[], assets: Env['ASSETS']): Hono<AppEnv> {
  // Flowise's clients end some paths with a slash.
  const app = new Hono<AppEnv>({ strict: false })
  app.onError(handleError)
  app.use('*', checkHost(services.config.publicHosts))
  for (const path of API_PATHS) {
    if (services.config.compressesResponses) app.use(path, compressResponses)
    app.use(path, apiHeaders, uiCors(services.config.uiOrigin), async (c, next) => {
      c.set('services', services)
      await next()
    })
    app.use(path, shareDatabase)
    if (services.config.logsRequests) app.use(path, logRequest)
    if (services.config.metricsToken) app.use(path, countRequest)
  }
  for (const route of routes) mount(app, route)
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(path, (c) => {
      c.header('Allow', methods.join(', '))
      return errorJson(c, 405, { message: `Method ${c.req.method} is not allowed` })
    })
  }
  for (const path of API_PATHS) app.all(path, (c) => errorJson(c, 404, { message: 'Not found' }))
  app.all('*', (c) => (isFilePath(c.req.path) ? serveFile(c, assets) : assets.fetch(c.req.raw)))
  return app
}

/** No page has such a path. */
const isFilePath = (path: string) => /^\/assets(\/|$)/.test(path) || path.slice(path.lastIndexOf('/')).includes('.')

/**
 * Answers with a file, or 404. For a path without a file the asset server answers with the page, which a browser would keep
 * for a year in place of the code of another build.
 */
async function serveFile(c: Context<AppEnv>, assets: Env['ASSETS']): Promise<Response> {
  const file = await assets.fetch(c.req.raw)
  if (!file.headers.get('content-type')?.startsWith('text/html')) return file
  return c.text('Not found', 404, { 'Cache-Control': 'no-store' })
}

function mount(app: Hono<AppEnv>, route: Route): void {
  assertAccess(route)
  assertAudited(route)
  assertDescribed(route)
  assertBounded(route)
  const setRoute = createMiddleware<AppEnv>(async (c, next) => {
    c.set('route', route)
    await next()
  })
  const paths = pathsOf(route)
  if (route.embeddable) app.on([route.method, 'OPTIONS'], paths, embedCors)
  app.on(
    route.method,
    paths,
    setRoute,
    recordFailures,
    drainRefused,
    checkOrigin,
    // Nothing costs before it is asked: how often, who, how much, and only then what.
    limitAddress,
    setActor,
    checkPermission,
    checkConfirmed,
    bodyLimit(route),
    async (c) => {
      const { answer } = (await finishAhead(c)) ?? { answer: await handle(c) }
      return answer instanceof Response ? answer : c.json(answer ?? null)
    },
  )
}

async function handle(c: Context<AppEnv>): Promise<unknown> {
  const { route, actor, services } = c.var
  const decoded = await decode(c, route)
  const prefetched = c.get('prefetched') ?? (() => undefined)
  return route.handle({ ...decoded, actor, services, context: c, prefetched } as never)
}

const pathsOf = ({ path, isOfOpenAi, isAtRoot }: Route): string[] => [
  BASE + path,
  ...(isOfOpenAi ? [OPENAI_BASE + path] : []),
  ...(isAtRoot ? [path] : []),
]

function isRule(access: Exclude<Access, string>): boolean {
  if ('organizationAdminOnly' in access) return access.organizationAdminOnly === true
  if ('adminOnly' in access) return access.adminOnly === true
  if ('directoryOnly' in access) return access.directoryOnly === true
  return access.permission?.trim().length > 0
}

const NAMED: readonly Access[] = ['public', 'signed-in', 'account']
/** Below it is what a person has in every organization. */
const OF_ACCOUNT = /^\/account(\/|$)/

/** Deny by default: a route without an access rule does not mount. */
function assertAccess(route: Route): void {
  const { access } = route
  const declared = NAMED.includes(access) || (typeof access === 'object' && access !== null && isRule(access))
  if (!declared) throw new Error(`${route.method} ${route.path} declares no access rule`)
  if (access === 'signed-in' && OF_ACCOUNT.test(route.path)) {
    throw new Error(`${route.method} ${route.path} is about the person's account, so its access must be 'account'`)
  }
  if (route.embeddable && access !== 'public') {
    throw new Error(`${route.method} ${route.path} is embeddable, so it must be public`)
  }
}

/** A call that changes something says what the audit log keeps of it, or why nothing. */
function assertAudited({ method, path, audit }: Route): void {
  if (method === 'GET' || (typeof audit === 'object' ? audit.none.trim() : audit)) return
  throw new Error(`${method} ${path} names no audit event, nor why it has none`)
}

function assertDescribed({ method, path, summary, answer }: Route): void {
  if (!summary?.trim() || !answer) throw new Error(`${method} ${path} declares no summary or answer`)
}

/** What anonymous callers may send above the default is asked for by name. */
function assertBounded({ method, path, access, maxBodyBytes = 0, beforeLargeBody }: Route): void {
  if (access !== 'public' || maxBodyBytes <= DEFAULT_BODY_BYTES || beforeLargeBody) return
  throw new Error(`${method} ${path} takes large bodies of everybody: it declares no beforeLargeBody`)
}

function methodsByPath(routes: Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const route of routes) {
    for (const path of pathsOf(route)) methods.set(path, [...(methods.get(path) ?? []), route.method])
  }
  return methods
}
