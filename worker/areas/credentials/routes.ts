import * as z from 'zod'
import {
  connectionTestSchema,
  createCredentialSchema,
  credentialSchema,
  credentialWithFieldsSchema,
  listCredentialsSchema,
  listedCredentialSchema,
  testCredentialSchema,
  updateCredentialSchema,
} from '#contract/credentials/credentials.ts'
import { HeddleError } from '#contract/errors.ts'
import { type CredentialDefinition, credentialDefinitionSchema } from '#contract/flow/params/definition.ts'
import { auditExempt } from '../../http/audit.ts'
import { byId, crudRoutes } from '../../http/crud-routes.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { credentialDefinitions, findCredentialType } from '../../nodes/catalogue.ts'
import { testCredential, testOf } from './connection-test.ts'
import { oauthRoutes } from './oauth-routes.ts'
import { createCredential, deleteCredential, listCredentials, readCredential, updateCredential } from './store.ts'

const byName = z.object({ name: z.string().max(100) })

/** For people who work with credentials, flows or document stores. */
const typeReaders = {
  permission:
    'credentials:view,credentials:create,credentials:update,chatflows:view,chatflows:create,chatflows:update,agentflows:view,agentflows:create,agentflows:update,assistants:view,assistants:create,assistants:update,documentStores:view,documentStores:create,documentStores:update',
}

const withTest = (definition: CredentialDefinition) => ({ ...definition, ...testOf(definition) })

export const routes: Route[] = [
  ...crudRoutes({
    path: '/credentials',
    permission: 'credentials',
    names: ['a credential', 'credentials'],
    audited: 'credential',
    list: { query: listCredentialsSchema, answer: z.array(listedCredentialSchema), handle: listCredentials },
    create: { body: createCredentialSchema, answer: credentialSchema, handle: createCredential },
    update: { body: updateCredentialSchema, answer: credentialSchema, errors: ['conflict'], handle: updateCredential },
    delete: deleteCredential,
  }),

  ...oauthRoutes,

  route({
    method: 'POST',
    path: '/credentials/test',
    summary: 'Test a credential with a request to its provider',
    audit: auditExempt.read,
    description:
      'Tests a stored or new credential. Types without a provider are tested against the URL in the request.',
    answer: connectionTestSchema,
    errors: ['conflict', 'bad_request', 'not_found', 'forbidden'],
    access: { permission: 'credentials:create,credentials:update' },
    limit: { max: 60, windowSeconds: 600 },
    body: testCredentialSchema,
    async handle({ services, actor, body }) {
      return testCredential(services, memberOf(actor), body)
    },
  }),

  route({
    method: 'GET',
    path: '/credentials/:id',
    summary: 'Get a credential with its secrets masked',
    answer: credentialWithFieldsSchema,
    errors: ['conflict'],
    access: { permission: 'credentials:create,credentials:update' },
    params: byId,
    async handle({ params, actor, services }) {
      return readCredential(services, memberOf(actor), params.id)
    },
  }),

  route({
    method: 'GET',
    path: '/components-credentials',
    summary: 'List the credential types',
    answer: z.array(credentialDefinitionSchema),
    access: typeReaders,
    async handle() {
      return credentialDefinitions().map(withTest)
    },
  }),

  route({
    method: 'GET',
    path: '/components-credentials/:name',
    summary: 'Get a credential type',
    answer: credentialDefinitionSchema,
    access: typeReaders,
    params: byName,
    async handle({ params }) {
      const definition = findCredentialType(params.name)
      if (!definition) throw new HeddleError('not_found', `Credential type ${params.name} not found`)
      return withTest(definition)
    },
  }),
]
