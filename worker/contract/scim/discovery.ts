/** What this SCIM server says of itself (RFC 7643, sections 5 to 7). */
import * as z from 'zod'
import { MAX_RESULTS, SCIM_SCHEMAS } from './resources.ts'

const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

const supported = z.object({ supported: z.boolean() })
const meta = z.object({ resourceType: z.string(), location: z.string() })

export const providerConfigSchema = z.object({
  schemas: z.array(z.string()),
  patch: supported,
  bulk: supported.extend({ maxOperations: z.int(), maxPayloadSize: z.int() }),
  filter: supported.extend({ maxResults: z.int() }),
  changePassword: supported,
  sort: supported,
  etag: supported,
  authenticationSchemes: z.array(
    z.object({ type: z.string(), name: z.string(), description: z.string(), primary: z.boolean() }),
  ),
  meta,
})

/** `base` is the address of the SCIM server. */
export const providerConfig = (base: string): z.infer<typeof providerConfigSchema> => ({
  schemas: [CONFIG],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an admin makes under Account > Single sign-on',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

export const resourceTypeSchema = z.object({
  schemas: z.array(z.string()),
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  description: z.string(),
  schema: z.string(),
  meta,
})

export const resourceTypes = (base: string): z.infer<typeof resourceTypeSchema>[] =>
  (['User', 'Group'] as const).map((name) => ({
    schemas: [RESOURCE_TYPE],
    id: name,
    name,
    endpoint: `/${name}s`,
    description: name === 'User' ? 'People of the organization' : 'Groups of the directory',
    schema: name === 'User' ? SCIM_SCHEMAS.user : SCIM_SCHEMAS.group,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))

interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'complex' | 'reference'
  multiValued: boolean
  description: string
  required: boolean
  caseExact: boolean
  mutability: 'readOnly' | 'readWrite'
  returned: 'default' | 'always'
  uniqueness: 'none' | 'server'
  subAttributes?: Attribute[]
}

const attribute = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  ...{ name, description, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
  ...more,
})

const fixed = { mutability: 'readOnly' } as const
const list = (name: string, description: string, subAttributes: Attribute[], more: Partial<Attribute> = {}) =>
  attribute(name, description, { type: 'complex', multiValued: true, subAttributes, ...more })
const complex = (name: string, description: string, subAttributes: Attribute[]) =>
  attribute(name, description, { type: 'complex', subAttributes })

const externalId = attribute('externalId', 'What the directory calls it', { caseExact: true })

const ATTRIBUTES = {
  User: [
    attribute('userName', 'The person’s e-mail address, of a domain that the organization has proven', {
      required: true,
      uniqueness: 'server',
    }),
    externalId,
    attribute('displayName', 'The person’s name'),
    complex('name', 'The name in parts, for directories without a displayName', [
      attribute('formatted', 'The whole name'),
      attribute('givenName', 'All but the last word'),
      attribute('familyName', 'The last word'),
    ]),
    attribute('active', 'False: the person can do nothing here', { type: 'boolean' }),
    list('emails', 'The userName', [attribute('value', 'The address'), attribute('type', 'Always work')], fixed),
    list('groups', 'The groups that the person is in', [attribute('value', 'The group’s id')], fixed),
  ],
  Group: [
    attribute('displayName', 'The group’s name', { required: true, uniqueness: 'server' }),
    externalId,
    list('members', 'The people of the group', [attribute('value', 'The user’s id', { caseExact: true })]),
  ],
}

export const schemaSchema = z.object({
  schemas: z.array(z.string()),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  attributes: z.array(z.looseObject({ name: z.string(), type: z.string() })),
  meta,
})

export const buildSchemas = (base: string): z.infer<typeof schemaSchema>[] =>
  (['User', 'Group'] as const).map((name) => {
    const id = name === 'User' ? SCIM_SCHEMAS.user : SCIM_SCHEMAS.group
    return {
      schemas: [SCHEMA],
      ...{ id, name, description: name === 'User' ? 'A person' : 'A group of people' },
      attributes: ATTRIBUTES[name].map((each) => ({ ...each })),
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
    }
  })
