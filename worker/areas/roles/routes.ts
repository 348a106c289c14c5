import * as z from 'zod'
import { createRoleSchema, roleSchema, updateRoleSchema } from '#contract/organization/members.ts'
import { deletedSchema } from '#contract/schemas/responses.ts'
import { byId } from '../../http/crud-routes.ts'
import { type Route, route, userOf } from '../../http/route.ts'
import { createRole, deleteRole, listGivable, listRoles, updateRole } from './store.ts'

const access = { permission: 'roles:manage', feature: 'feat:roles' }

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/roles',
    summary: 'List roles',
    description: 'Also available to people who can assign roles.',
    answer: z.array(roleSchema),
    access: { permission: 'roles:manage,users:manage,workspace:view', feature: 'feat:roles' },
    handle: async ({ services, actor }) => listRoles(services, userOf(actor)),
  }),
  route({
    method: 'GET',
    path: '/roles/permissions',
    summary: 'List the permissions that the caller can put into roles',
    description:
      'Organization permissions the caller holds, and workspace permissions they hold in at least one workspace.',
    answer: z.array(z.string()),
    access,
    handle: async ({ services, actor }) => listGivable(services, userOf(actor)),
  }),
  route({
    method: 'POST',
    path: '/roles',
    summary: 'Create a role',
    description: 'A role can contain only permissions of its kind that its creator holds.',
    audit: 'role.create',
    confirmed: true,
    answer: roleSchema,
    errors: ['conflict'],
    access,
    body: createRoleSchema,
    handle: async ({ context, actor, body }) => createRole(context, userOf(actor), body),
  }),
  route({
    method: 'PUT',
    path: '/roles/:id',
    summary: 'Update a role',
    description: 'Takes effect with the next request of everyone who has the role.',
    audit: 'role.update',
    confirmed: true,
    answer: roleSchema,
    errors: ['conflict'],
    access,
    params: byId,
    body: updateRoleSchema,
    handle: async ({ context, actor, params, body }) =>
      updateRole(context, { actor: userOf(actor), id: params.id }, body),
  }),
  route({
    method: 'DELETE',
    path: '/roles/:id',
    summary: 'Delete a role',
    description: 'Rejected while anyone has the role; the error names them.',
    audit: 'role.delete',
    answer: deletedSchema,
    errors: ['conflict'],
    access,
    params: byId,
    handle: async ({ context, actor, params }) => deleteRole(context, userOf(actor), params.id),
  }),
]
