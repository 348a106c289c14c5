/** What directories send and get: users, groups and changes of them (RFC 7643, RFC 7644). */
import * as z from 'zod'

export const SCIM_TYPE = 'application/scim+json'

export const SCIM_SCHEMAS = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

export const MAX_RESULTS = 200
/** Members that one request may name. */
export const MAX_NAMED_MEMBERS = 1000
const MAX_OPERATIONS = 100
const MAX_ENTRIES = 100

const text = z.string().max(320).nullish()
const flag = z.union([z.boolean(), z.string().max(5)]).nullish()
const schemas = z.array(z.string().max(200)).max(20).nullish()
const entry = z.object({ value: text, type: text, primary: flag })

/** Attribute names mean the same in any case. */
const anyCase = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]))
  const rename = (body: unknown) =>
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? Object.fromEntries(Object.entries(body).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]))
      : body
  return z.preprocess(rename, z.object(shape))
}

/** Attributes that Heddle does not keep are ignored, passwords among them. */
export const scimUserBodySchema = anyCase({
  schemas,
  userName: text,
  externalId: text,
  displayName: text,
  name: z.object({ formatted: text, givenName: text, familyName: text }).nullish(),
  active: flag,
  emails: z.array(entry).max(MAX_ENTRIES).nullish().describe('Ignored: the address is the userName'),
})

const memberSchema = z.object({ value: z.string().min(1).max(100) })

export const scimGroupBodySchema = anyCase({
  schemas,
  displayName: text,
  externalId: text,
  members: z.array(memberSchema).max(MAX_NAMED_MEMBERS).nullish(),
})

export const scimPatchSchema = anyCase({
  schemas,
  Operations: z
    .array(
      z.object({
        op: z.string().max(10).describe('`add`, `replace` or `remove`, in any case'),
        path: z.string().max(1000).nullish(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MAX_OPERATIONS),
})

export type ScimOperation = z.infer<typeof scimPatchSchema>['Operations'][number]

const whole = z.coerce.number().int().max(1_000_000_000)

export const scimQuerySchema = z.object({
  filter: z.string().max(1000).optional(),
  startIndex: whole.optional().describe('Of the first result; the first of all is 1'),
  count: whole.optional().describe(`At most ${MAX_RESULTS}, which is also the default`),
  attributes: z.string().max(1000).optional(),
  excludedAttributes: z.string().max(1000).optional(),
})

export const scimAttributesSchema = scimQuerySchema.pick({ attributes: true, excludedAttributes: true })

export type ScimQuery = z.infer<typeof scimQuerySchema>

const meta = z.object({
  resourceType: z.string(),
  created: z.string(),
  lastModified: z.string().optional(),
  location: z.string(),
})
const reference = z.object({ value: z.string(), display: z.string() })

/** All but `schemas` and `id` may be left out on request. */
export const scimUserSchema = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: z.string().optional(),
    userName: z.string().describe('The person’s e-mail address').optional(),
    displayName: z.string().optional(),
    name: z.object({ formatted: z.string(), givenName: z.string(), familyName: z.string() }).optional(),
    active: z.boolean().optional(),
    emails: z.array(z.object({ value: z.string(), type: z.string(), primary: z.boolean() })).optional(),
    groups: z.array(reference).optional(),
    meta: meta.optional(),
  })
  .meta({ id: 'ScimUser' })
export type ScimUser = z.infer<typeof scimUserSchema>

export const scimGroupSchema = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: z.string().optional(),
    displayName: z.string().optional(),
    members: z.array(reference).optional(),
    meta: meta.optional(),
  })
  .meta({ id: 'ScimGroup' })
export type ScimGroup = z.infer<typeof scimGroupSchema>

export const scimListOf = (resource: z.ZodType) =>
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  })

export const scimErrorSchema = z
  .object({
    schemas: z.array(z.literal(SCIM_SCHEMAS.error)),
    status: z.string(),
    scimType: z.string().optional(),
    detail: z.string(),
  })
  .meta({ id: 'ScimError' })
