import * as z from 'zod'
import {
  createCredentialSchema,
  credentialSchema,
  credentialWithFieldsSchema,
  listCredentialsSchema,
  updateCredentialSchema,
} from '#contract/credentials.ts'
import { HeddleError } from '#contract/errors.ts'
import { credentialDefinitionSchema } from '#contract/flow/params/definition.ts'
import { byId, crudRoutes } from '../../http/crud-routes.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { credentialDefinitions, findCredentialType } from '../../nodes/catalogue.ts'
import { oauthRoutes } from './oauth-routes.ts'
import { createCredential, deleteCredential, listCredentials, readCredential, updateCredential } from './store.ts'

const byName = z.object({ name: z.string().max(100) })

/** For people who work with credentials or flows. */
const typeReaders = {
  permission:
    'credentials:view,credentials:create,credentials:update,chatflows:view,chatflows:create,chatflows:update,agentflows:view,agentflows:create,agentflows:update,assistants:view,assistants:create,assistants:update',
}

export const routes: Route[] = [
  ...crudRoutes({
    path: '/credentials',
    permission: 'credentials',
    names: ['a credential', 'credentials'],
    list: { query: listCredentialsSchema, answer: z.array(credentialSchema), handle: listCredentials },
    create: { body: createCredentialSchema, answer: credentialSchema, handle: createCredential },
    update: { body: updateCredentialSchema, answer: credentialSchema, errors: ['conflict'], handle: updateCredential },
    delete: deleteCredential,
  }),

  ...oauthRoutes,

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
      return credentialDefinitions()
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
      return definition
    },
  }),
]
