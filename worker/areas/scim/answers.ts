/** The forms of what directories get (RFC 7644). */
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { MAX_RESULTS, SCIM_SCHEMAS, SCIM_TYPE, type ScimQuery, scimErrorSchema } from '#contract/scim/resources.ts'
import { ownOrigin } from '../../http/own-origin.ts'
import type { AnsweredError, AppEnv, ErrorForm } from '../../http/route.ts'

/** The address of the SCIM server. APP_URL, else the host, which `served-host.ts` has checked. */
export function scimBase(c: Context<AppEnv>): string {
  const { appUrl, uiOrigin } = c.get('services').config
  // Pages from another server have an address of their own: directories call this one.
  return `${uiOrigin ? ownOrigin(c) : (appUrl ?? ownOrigin(c))}/scim/v2`
}

export function answerScim(c: Context<AppEnv>, resource: object, status: ContentfulStatusCode = 200): Response {
  const { location } = (resource as { meta?: { location?: string } }).meta ?? {}
  return c.json(resource, status, {
    'Content-Type': SCIM_TYPE,
    ...(status === 201 && location !== undefined && { Location: location }),
  })
}

export const errorForm: ErrorForm = {
  schema: scimErrorSchema,
  type: SCIM_TYPE,
  bodyOf: (error) => ({
    schemas: [SCIM_SCHEMAS.error],
    status: String(error.status),
    ...typeOf(error),
    detail: error.message,
  }),
}

function typeOf({ scimType, status, field }: AnsweredError): { scimType?: unknown } {
  if (scimType !== undefined) return { scimType }
  if (status !== 400) return {}
  return { scimType: field === undefined ? 'invalidSyntax' : field === 'filter' ? 'invalidFilter' : 'invalidValue' }
}

interface Page {
  /** The number of the first result, from 1. */
  startIndex: number
  count: number
}

/** Values below the first are the first (RFC 7644, section 3.4.2.4). */
export const pageOf = ({ startIndex = 1, count = MAX_RESULTS }: ScimQuery): Page => ({
  startIndex: Math.max(1, startIndex),
  count: Math.min(MAX_RESULTS, Math.max(0, count)),
})

export const listOf = (resources: object[], { total, startIndex }: { total: number; startIndex: number }) => ({
  schemas: [SCIM_SCHEMAS.list],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

export type AttributeFilter = (attribute: string) => boolean

/** Tells which attributes were asked for; `schemas` and `id` always are. */
export function wantedOf({
  attributes,
  excludedAttributes,
}: Pick<ScimQuery, 'attributes' | 'excludedAttributes'>): AttributeFilter {
  const [asked, excluded] = [namesIn(attributes), namesIn(excludedAttributes)]
  return (attribute) => {
    const name = attribute.toLowerCase()
    return name === 'schemas' || name === 'id' || ((asked?.has(name) ?? true) && !excluded?.has(name))
  }
}

const namesIn = (list: string | undefined) =>
  list === undefined
    ? undefined
    : new Set(list.split(',').map((name) => (name.trim().split(':').at(-1) as string).split('.', 1)[0]?.toLowerCase()))

export const only = <Resource extends object>(resource: Resource, isWanted: AttributeFilter): Resource =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => isWanted(name))) as Resource
