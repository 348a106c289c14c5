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
import { deletedSchema } from '#contract/schemas/responses.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { credentialDefinitions } from '../../nodes/catalogue.ts'
import { findDefinition } from './definitions.ts'
import { createCredential, deleteCredential, listCredentials, readCredential, updateCredential } from './store.ts'

const byId = z.object({ id: z.string().max(100) })
const byName = z.object({ name: z.string().max(100) })

/** For people who work with credentials or flows. */
const typeReaders = {
  permission:
    'credentials:view,credentials:create,credentials:update,chatflows:view,chatflows:create,chatflows:update,agentflows:view,agentflows:create,agentflows:update',
}

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/credentials',
    summary: 'List credentials',
    answer: z.array(credentialSchema),
    access: { permission: 'credentials:view' },
    query: listCredentialsSchema,
    async handle({ query, actor, services }) {
      return listCredentials(services, memberOf(actor), [query.credentialName ?? []].flat())
    },
  }),

  route({
    method: 'POST',
    path: '/credentials',
    summary: 'Create a credential',
    answer: credentialSchema,
    access: { permission: 'credentials:create' },
    body: createCredentialSchema,
    async handle({ body, actor, services }) {
      return createCredential(services, memberOf(actor), body)
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
    method: 'PUT',
    path: '/credentials/:id',
    summary: 'Update a credential',
    answer: credentialSchema,
    errors: ['conflict'],
    access: { permission: 'credentials:create,credentials:update' },
    params: byId,
    body: updateCredentialSchema,
    async handle({ params, body, actor, services }) {
      return updateCredential(services, memberOf(actor), { id: params.id, values: body })
    },
  }),

  route({
    method: 'DELETE',
    path: '/credentials/:id',
    summary: 'Delete a credential',
    answer: deletedSchema,
    access: { permission: 'credentials:delete' },
    params: byId,
    async handle({ params, actor, services }) {
      return deleteCredential(services, memberOf(actor), params.id)
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
      const definition = findDefinition(params.name)
      if (!definition) throw new HeddleError('not_found', `Credential type ${params.name} not found`)
      return definition
    },
  }),
]
