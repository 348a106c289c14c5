import * as z from 'zod'
import {
  addWorkspaceUserSchema,
  workspaceUserRoleSchema,
  workspaceUsersSchema,
} from '#contract/organization/workspaces.ts'
import { noContent, type Route, route, userOf } from '../../http/route.ts'
import {
  addWorkspaceUser,
  changeWorkspaceRole,
  leaveOwnWorkspace,
  listWorkspaceUsers,
  removeWorkspaceUser,
} from './users.ts'

const feature = 'feat:workspaces'
const id = z.string().min(1).max(100)
const ofWorkspace = z.object({ id })
const ofUser = z.object({ id, userId: id })

export const userRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/workspaces/:id/users',
    summary: 'List the people of a workspace',
    answer: workspaceUsersSchema,
    errors: ['not_found'],
    access: { permission: 'workspace:view', feature },
    params: ofWorkspace,
    handle: ({ context, actor, params }) => listWorkspaceUsers(context, userOf(actor), params.id),
  }),
  route({
    method: 'POST',
    path: '/workspaces/:id/users',
    summary: 'Add a member of the organization to a workspace',
    audit: 'workspace.add-user',
    confirmed: true,
    answer: workspaceUsersSchema,
    errors: ['not_found', 'conflict'],
    access: { permission: 'workspace:update', feature },
    params: ofWorkspace,
    body: addWorkspaceUserSchema,
    async handle({ context, actor, params, body }) {
      await addWorkspaceUser(context, userOf(actor), { ...body, workspaceId: params.id })
      return listWorkspaceUsers(context, userOf(actor), params.id)
    },
  }),
  route({
    method: 'PUT',
    path: '/workspaces/:id/users/:userId',
    summary: 'Change the role of a person in a workspace',
    audit: 'workspace.change-role',
    confirmed: true,
    answer: workspaceUsersSchema,
    errors: ['not_found'],
    access: { permission: 'workspace:update', feature },
    params: ofUser,
    body: workspaceUserRoleSchema,
    async handle({ context, actor, params, body }) {
      await changeWorkspaceRole(context, userOf(actor), { ...body, workspaceId: params.id, userId: params.userId })
      return listWorkspaceUsers(context, userOf(actor), params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/workspaces/:id/users/:userId',
    summary: 'Remove a person from a workspace',
    audit: 'workspace.remove-user',
    answer: noContent,
    errors: ['not_found'],
    access: { permission: 'workspace:update', feature },
    params: ofUser,
    async handle({ context, actor, params }) {
      await removeWorkspaceUser(context, userOf(actor), { workspaceId: params.id, userId: params.userId })
      return context.body(null, 204)
    },
  }),
  route({
    method: 'POST',
    path: '/workspaces/:id/leave',
    summary: 'Leave a workspace',
    description: 'Moves the caller to another of their workspaces. Admins belong to every workspace and can’t leave.',
    audit: 'workspace.remove-user',
    answer: noContent,
    errors: ['not_found'],
    access: 'signed-in',
    params: ofWorkspace,
    async handle({ context, actor, params }) {
      await leaveOwnWorkspace(context, userOf(actor), params.id)
      return context.body(null, 204)
    },
  }),
]
