/** The example of each route, as a request. */
import type { Route } from '../route.ts'
import { EXAMPLES } from './examples.ts'
import { sampleOf } from './sample.ts'
import { SEED_ID } from './seed.ts'

/** A parameter of a query that names a row of the seed. */
const OF_SEED = new RegExp(`(\\w+)=${SEED_ID}`, 'g')

export const nameOf = (route: Route) => `${route.method} ${route.path}`

/** `id` takes the place of every id in the path, or is asked for each. */
export function addressOf(route: Route, id: string | ((name: string) => string) = SEED_ID): string {
  const { params: own, query } = EXAMPLES[nameOf(route)] ?? {}
  const params: Record<string, string> = { version: '1', ...own }
  const idOf = typeof id === 'string' ? () => id : id
  const path = route.path.replace(/:([^/]+)/g, (_, name) => encodeURIComponent(params[name] ?? idOf(name)))
  const asked = query?.replace(OF_SEED, (_, name) => `${name}=${idOf(name)}`)
  return `/api/v1${path}${asked ? `?${asked}` : ''}`
}

export function bodyOf(route: Route): Record<string, unknown> | undefined {
  if (route.method === 'GET') return undefined
  const body = sampleOf(route.body) as Record<string, unknown> | undefined
  return body && { ...body, ...EXAMPLES[nameOf(route)]?.body }
}
