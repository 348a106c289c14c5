import * as z from 'zod'
import { sessionUserSchema } from '#contract/account/account.ts'
import {
  deleteWorkspaceSchema,
  saveWorkspaceSchema,
  workspaceListSchema,
  workspaceSchema,
} from '#contract/organization/workspaces.ts'
import { auditExempt } from '../../http/audit.ts'
import { type Route, route, userOf } from '../../http/route.ts'
import { sessionUser } from '../auth/index.ts'
import { limitRoutes } from './limit-routes.ts'
import { createWorkspace, deleteWorkspace, listWorkspaces, renameWorkspace, restoreWorkspace } from './store.ts'
import { switchWorkspace } from './switch.ts'
import { userRoutes } from './user-routes.ts'

const feature = 'feat:workspaces'
const params = z.object({ id: z.string().min(1).max(100) })

const workspaceRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/workspaces',
    summary: 'List the workspaces that the caller may see',
    answer: workspaceListSchema,
    access: { permission: 'workspace:view', feature },
    handle: ({ context, actor }) => listWorkspaces(context, userOf(actor)),
  }),
  route({
    method: 'POST',
    path: '/workspaces',
    summary: 'Create a workspace',
    audit: 'workspace.create',
    answer: workspaceSchema,
    access: { permission: 'workspace:create', feature },
    body: saveWorkspaceSchema,
    handle: ({ context, actor, body }) => createWorkspace(context, userOf(actor), body.name),
  }),
  route({
    method: 'PUT',
    path: '/workspaces/:id',
    summary: 'Rename a workspace',
    audit: 'workspace.update',
    answer: workspaceSchema,
    errors: ['not_found'],
    access: { permission: 'workspace:update', feature },
    params,
    body: saveWorkspaceSchema,
    handle: ({ context, actor, params: { id }, body }) => renameWorkspace(context, userOf(actor), { ...body, id }),
  }),
  route({
    method: 'DELETE',
    path: '/workspaces/:id',
    summary: 'Delete a workspace',
    description: 'Disables the workspace. It can be restored for 7 days; then its data and files are deleted.',
    audit: 'workspace.delete',
    answer: workspaceSchema,
    errors: ['not_found', 'conflict'],
    access: { permission: 'workspace:delete', feature },
    params,
    body: deleteWorkspaceSchema,
    handle: ({ context, actor, params: { id }, body }) => deleteWorkspace(context, userOf(actor), { ...body, id }),
  }),
  route({
    method: 'POST',
    path: '/workspaces/:id/restore',
    summary: 'Restore a deleted workspace',
    audit: 'workspace.restore',
    answer: workspaceSchema,
    errors: ['not_found'],
    access: { permission: 'workspace:delete', feature },
    params,
    handle: ({ context, actor, params: { id } }) => restoreWorkspace(context, userOf(actor), id),
  }),
  route({
    method: 'POST',
    path: '/workspaces/:id/switch',
    summary: 'Go on in another workspace',
    audit: auditExempt.session,
    answer: sessionUserSchema,
    errors: ['not_found'],
    access: 'signed-in',
    params,
    async handle({ services, actor, params: { id } }) {
      await switchWorkspace(services.db, userOf(actor), id)
      return sessionUser(services, userOf(actor).sessionId)
    },
  }),
]

/** Workspaces, their people, and the limits of the caller's own. */
export const routes: Route[] = [...workspaceRoutes, ...userRoutes, ...limitRoutes]
