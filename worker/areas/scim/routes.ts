/** SCIM 2.0: how an organization's directory provisions its people and groups. */
import * as z from 'zod'
import { type ErrorCode, HeddleError } from '#contract/errors.ts'
import {
  createDirectoryTokenSchema,
  directoryGroupSchema,
  directoryTokensSchema,
  mapDirectoryGroupSchema,
  newDirectoryTokenSchema,
} from '#contract/organization/directory.ts'
import { assignmentsOfResource, toAssignments } from '#contract/scim/changes.ts'
import {
  buildSchemas,
  providerConfig,
  providerConfigSchema,
  resourceTypeSchema,
  resourceTypes,
  schemaSchema,
} from '#contract/scim/discovery.ts'
import {
  SCIM_TYPE,
  scimAttributesSchema,
  scimGroupBodySchema,
  scimGroupSchema,
  scimListOf,
  scimPatchSchema,
  scimQuerySchema,
  scimUserBodySchema,
  scimUserSchema,
} from '#contract/scim/resources.ts'
import { byId } from '../../http/crud-routes.ts'
import {
  type Answer,
  type DirectoryActor,
  directoryOf,
  noContent,
  type Route,
  type RouteInput,
  route,
  userOf,
} from '../../http/route.ts'
import { assertBacks, memberQueries, toMembers } from '../users/index.ts'
import { answerScim, errorForm, listOf, scimBase } from './answers.ts'
import { createGroup, deleteGroup, listGroups, readGroup, updateGroup } from './groups.ts'
import { listDirectoryGroups, mapGroup } from './mapping.ts'
import { createUser, deleteUser, updateUser } from './provision.ts'
import { createToken, deleteToken, listTokens } from './tokens.ts'
import { listUsers, readUser } from './users.ts'

/** What every call of a directory has in common. Entra ID may send 25 requests a second. */
const common = {
  access: { directoryOnly: true, feature: 'feat:sso-config' },
  isAtRoot: true,
  errorForm,
  bodyTypes: [SCIM_TYPE, 'application/json'],
  limit: { max: 1500, windowSeconds: 60 },
} as const satisfies Partial<Route>

const changing: { errors: readonly ErrorCode[] } = { errors: ['conflict'] }
const BASE = '/scim/v2'
const as = (schema: z.ZodType, status = 200): readonly Answer[] => [{ status, type: SCIM_TYPE, schema }]

/** Reads for a directory whose token somebody must still back: nothing of the answer, nor its absence, shows before. */
async function readBacked<T>(
  { actor, services }: Pick<RouteInput<unknown, unknown, unknown>, 'actor' | 'services'>,
  read: (directory: DirectoryActor) => T | Promise<T>,
): Promise<T> {
  const directory = directoryOf(actor)
  const { organizationId, makerId } = directory
  const [members, answer] = await Promise.allSettled([
    services.db.batch(memberQueries(services.db, organizationId, [makerId])),
    (async () => read(directory))(),
  ])
  assertBacks(toMembers(settled(members))[0])
  return settled(answer)
}

function settled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

const userRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    path: `${BASE}/Users`,
    summary: 'List users',
    description: 'Filters compare with `eq`, joined by `and`: userName, externalId, emails.value, id, active.',
    answer: as(scimListOf(scimUserSchema)),
    query: scimQuerySchema,
    handle: async (input) =>
      answerScim(
        input.context,
        await readBacked(input, (directory) => listUsers(input.context, directory, input.query)),
      ),
  }),
  route({
    ...common,
    method: 'GET',
    path: `${BASE}/Users/:id`,
    summary: 'Get a user',
    answer: as(scimUserSchema),
    params: byId,
    query: scimAttributesSchema,
    handle: async (input) =>
      answerScim(
        input.context,
        await readBacked(input, (directory) => readUser(input.context, directory, { ...input.params, ...input.query })),
      ),
  }),
  route({
    ...common,
    ...changing,
    method: 'POST',
    path: `${BASE}/Users`,
    summary: 'Make somebody a member',
    description: 'The userName must be an email address in a verified domain of the organization.',
    audit: 'user.provision',
    answer: as(scimUserSchema, 201),
    body: scimUserBodySchema,
    async handle({ context, actor, body }) {
      const directory = directoryOf(actor)
      const id = await createUser(context, directory, assignmentsOfResource(body))
      return answerScim(context, await readUser(context, directory, { id }), 201)
    },
  }),
  ...(['PUT', 'PATCH'] as const).map((method) =>
    route({
      ...common,
      ...changing,
      method,
      path: `${BASE}/Users/:id`,
      summary: method === 'PUT' ? 'Replace a user' : 'Change a user',
      description: 'Deactivated users are signed out immediately.',
      audit: 'user.update',
      answer: as(scimUserSchema),
      params: byId,
      body: method === 'PUT' ? scimUserBodySchema : scimPatchSchema,
      async handle({ context, actor, params, body }) {
        const directory = directoryOf(actor)
        await updateUser(context, { actor: directory, ...params, isWhole: method === 'PUT' }, changesIn(body))
        return answerScim(context, await readUser(context, directory, params))
      },
    }),
  ),
  route({
    ...common,
    ...changing,
    method: 'DELETE',
    path: `${BASE}/Users/:id`,
    summary: 'End a membership',
    audit: 'user.remove',
    answer: noContent,
    params: byId,
    async handle({ context, actor, params }) {
      await deleteUser(context, directoryOf(actor), params.id)
      return context.body(null, 204)
    },
  }),
]

const groupRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    path: `${BASE}/Groups`,
    summary: 'List groups',
    description: 'Filters compare with `eq`, joined by `and`: displayName, externalId, id, members.',
    answer: as(scimListOf(scimGroupSchema)),
    query: scimQuerySchema,
    handle: async (input) =>
      answerScim(
        input.context,
        await readBacked(input, (directory) => listGroups(input.context, directory, input.query)),
      ),
  }),
  route({
    ...common,
    method: 'GET',
    path: `${BASE}/Groups/:id`,
    summary: 'Get a group',
    answer: as(scimGroupSchema),
    params: byId,
    query: scimAttributesSchema,
    handle: async (input) =>
      answerScim(
        input.context,
        await readBacked(input, (directory) =>
          readGroup(input.context, directory, { ...input.params, ...input.query }),
        ),
      ),
  }),
  route({
    ...common,
    ...changing,
    method: 'POST',
    path: `${BASE}/Groups`,
    summary: 'Create a group',
    description: 'A new group grants nothing until an organization admin maps it to roles.',
    audit: 'directory-group.create',
    answer: as(scimGroupSchema, 201),
    body: scimGroupBodySchema,
    async handle({ context, actor, body }) {
      const directory = directoryOf(actor)
      const id = await createGroup(context, directory, assignmentsOfResource(body))
      return answerScim(context, await readGroup(context, directory, { id }), 201)
    },
  }),
  ...(['PUT', 'PATCH'] as const).map((method) =>
    route({
      ...common,
      ...changing,
      method,
      path: `${BASE}/Groups/:id`,
      summary: method === 'PUT' ? 'Replace a group' : 'Change a group',
      description: 'Members gain or lose the group’s roles immediately.',
      audit: 'directory-group.update',
      answer: as(scimGroupSchema),
      params: byId,
      body: method === 'PUT' ? scimGroupBodySchema : scimPatchSchema,
      async handle({ context, actor, params, body }) {
        const directory = directoryOf(actor)
        await updateGroup(context, { actor: directory, ...params, isWhole: method === 'PUT' }, changesIn(body))
        return answerScim(context, await readGroup(context, directory, params))
      },
    }),
  ),
  route({
    ...common,
    ...changing,
    method: 'DELETE',
    path: `${BASE}/Groups/:id`,
    summary: 'Delete a group',
    audit: 'directory-group.delete',
    answer: noContent,
    params: byId,
    async handle({ context, actor, params }) {
      await deleteGroup(context, directoryOf(actor), params.id)
      return context.body(null, 204)
    },
  }),
]

/** Returns what a PATCH or PUT says. */
const changesIn = (body: object) =>
  'Operations' in body
    ? toAssignments((body as z.infer<typeof scimPatchSchema>).Operations)
    : assignmentsOfResource(body)

const discovery = (path: string, summary: string, of: { schema: z.ZodType; read(base: string): object }): Route =>
  route({
    ...common,
    method: 'GET',
    path: BASE + path,
    summary,
    answer: as(of.schema),
    async handle(input) {
      return answerScim(input.context, await readBacked(input, () => of.read(scimBase(input.context))))
    },
  })

/** Each entry of a list by its own address. */
const discoveryOfOne = (
  path: string,
  summary: string,
  of: { schema: z.ZodType; read(base: string): { id: string }[] },
) =>
  route({
    ...common,
    method: 'GET',
    path: `${BASE}${path}/:id`,
    summary,
    answer: as(of.schema),
    params: byId,
    async handle(input) {
      const all = await readBacked(input, () => of.read(scimBase(input.context)))
      const found = all.find(({ id }) => id === input.params.id)
      if (!found) throw new HeddleError('not_found', `${input.params.id} not found`)
      return answerScim(input.context, found)
    },
  })

const whole = (resources: object[]) => listOf(resources, { total: resources.length, startIndex: 1 })

/** The routes for directories, below /scim/v2. */
export const directoryRoutes: Route[] = [
  ...userRoutes,
  ...groupRoutes,
  discovery('/ServiceProviderConfig', 'Get what this server can do', {
    schema: providerConfigSchema,
    read: providerConfig,
  }),
  discovery('/ResourceTypes', 'List the types of resources', {
    schema: scimListOf(resourceTypeSchema),
    read: (base) => whole(resourceTypes(base)),
  }),
  discovery('/Schemas', 'List the attributes of resources', {
    schema: scimListOf(schemaSchema),
    read: (base) => whole(buildSchemas(base)),
  }),
  discoveryOfOne('/ResourceTypes', 'Get a type of resources', { schema: resourceTypeSchema, read: resourceTypes }),
  discoveryOfOne('/Schemas', 'Get the attributes of a resource', { schema: schemaSchema, read: buildSchemas }),
]

const feature = 'feat:sso-config'
const forReaders = { access: { permission: 'sso:manage', feature } } as const
/** Whoever provisions people decides whose accounts they are. */
const forAdmins = { access: { organizationAdminOnly: true, feature } } as const

/** The routes for admins of the organization. */
export const adminRoutes: Route[] = [
  route({
    ...forReaders,
    method: 'GET',
    path: '/scim-tokens',
    summary: 'List the tokens of directories',
    answer: directoryTokensSchema,
    handle: ({ context, actor }) => listTokens(context, userOf(actor)),
  }),
  route({
    ...forAdmins,
    method: 'POST',
    path: '/scim-tokens',
    summary: 'Make a token for a directory',
    description: 'The token works as long as its creator is an admin.',
    audit: 'directory-token.create',
    confirmed: true,
    answer: newDirectoryTokenSchema,
    body: createDirectoryTokenSchema,
    handle: ({ context, actor, body }) => createToken(context, userOf(actor), body.name),
  }),
  route({
    ...forAdmins,
    method: 'DELETE',
    path: '/scim-tokens/:id',
    summary: 'Revoke a token of a directory',
    audit: 'directory-token.delete',
    answer: noContent,
    confirmed: true,
    params: byId,
    async handle({ context, actor, params }) {
      await deleteToken(context, userOf(actor), params.id)
      return context.body(null, 204)
    },
  }),
  route({
    ...forReaders,
    method: 'GET',
    path: '/scim-groups',
    summary: 'List the groups of directories',
    answer: z.array(directoryGroupSchema),
    handle: ({ context, actor }) => listDirectoryGroups(context, userOf(actor)),
  }),
  route({
    ...forAdmins,
    method: 'PUT',
    path: '/scim-groups/:id',
    summary: 'Set what a group gives',
    description: 'The group’s members get the role immediately.',
    audit: 'directory-group.map',
    confirmed: true,
    answer: directoryGroupSchema,
    params: byId,
    body: mapDirectoryGroupSchema,
    handle: ({ context, actor, params, body }) => mapGroup(context, { actor: userOf(actor), ...params }, body),
  }),
]
