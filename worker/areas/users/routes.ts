import {
  changeAdminSchema,
  changeRoleSchema,
  memberSchema,
  removedMemberSchema,
} from '#contract/organization/members.ts'
import { pageSchema } from '#contract/schemas/page.ts'
import { listOf } from '#contract/schemas/responses.ts'
import { byId } from '../../http/crud-routes.ts'
import { noContent, type Route, route, userOf } from '../../http/route.ts'
import { removeSecondStep } from './second-step.ts'
import { leaveOrganization, listMembers, readMember, removeMember, setAdmin, setDisabled, setRole } from './store.ts'

const access = { permission: 'users:manage', feature: 'feat:users' }

/** The people of the caller's organization. Changes count from the next request of the person. */
export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/users',
    summary: 'List users',
    answer: listOf(memberSchema),
    access,
    query: pageSchema,
    handle: async ({ services, actor, query }) => listMembers(services, userOf(actor), query),
  }),
  route({
    method: 'GET',
    path: '/users/:id',
    summary: 'Get a user',
    answer: memberSchema,
    access,
    params: byId,
    handle: async ({ services, actor, params }) => readMember(services, userOf(actor), params.id),
  }),
  switchRoute('disable', 'Blocks the person in this organization until they are enabled again.'),
  switchRoute('enable', 'Restores the access the person had before.'),
  route({
    method: 'PUT',
    path: '/users/:id/admin',
    summary: 'Make or unmake an admin',
    description: 'Admins only. The last active admin can’t be demoted.',
    audit: 'user.change-admin',
    confirmed: true,
    answer: memberSchema,
    errors: ['conflict'],
    access,
    params: byId,
    body: changeAdminSchema,
    async handle({ context, services, actor, params, body }) {
      await setAdmin(context, { actor: userOf(actor), id: params.id, ...body })
      return readMember(services, userOf(actor), params.id)
    },
  }),
  route({
    method: 'PUT',
    path: '/users/:id/role',
    summary: 'Set a user’s role in the organization',
    description: 'You can’t grant permissions you don’t have.',
    audit: 'user.change-role',
    confirmed: true,
    answer: memberSchema,
    errors: ['conflict'],
    access,
    params: byId,
    body: changeRoleSchema,
    async handle({ context, services, actor, params, body }) {
      await setRole(context, { actor: userOf(actor), id: params.id, ...body })
      return readMember(services, userOf(actor), params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/:id/second-step',
    summary: 'Remove a user’s two-step sign-in',
    description:
      'Removes the authenticator app and its recovery codes, ends the person’s sessions, and tells them by email. Only for people who belong to no other organization.',
    audit: 'user.remove-second-step',
    confirmed: true,
    answer: memberSchema,
    errors: ['conflict'],
    access,
    params: byId,
    async handle({ context, services, actor, params }) {
      await removeSecondStep(context, { actor: userOf(actor), id: params.id })
      return readMember(services, userOf(actor), params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/:id',
    summary: 'Remove a user from the organization',
    description: 'Ends the person’s sessions here. API keys they created keep working; the response lists them.',
    audit: 'user.remove',
    answer: removedMemberSchema,
    errors: ['conflict'],
    access,
    params: byId,
    handle: async ({ context, actor, params }) => removeMember(context, { actor: userOf(actor), id: params.id }),
  }),
  route({
    method: 'POST',
    path: '/account/leave',
    summary: 'Leave the organization',
    description: 'Ends the caller’s sessions there. The last active admin can’t leave.',
    audit: 'user.remove',
    answer: noContent,
    errors: ['conflict'],
    access: 'account',
    async handle({ context, actor }) {
      await leaveOrganization(context, userOf(actor))
      return context.body(null, 204)
    },
  }),
]

function switchRoute(verb: 'disable' | 'enable', description: string): Route {
  return route({
    method: 'POST',
    path: `/users/:id/${verb}`,
    summary: `${verb === 'disable' ? 'Disable' : 'Enable'} a user`,
    description,
    audit: `user.${verb}`,
    ...(verb === 'enable' && { confirmed: true as const }),
    answer: memberSchema,
    errors: ['conflict'],
    access,
    params: byId,
    async handle({ context, services, actor, params }) {
      await setDisabled(context, { actor: userOf(actor), id: params.id, disabled: verb === 'disable' })
      return readMember(services, userOf(actor), params.id)
    },
  })
}
