import * as z from 'zod'
import { sessionUserSchema } from '#contract/account/account.ts'
import {
  acceptInvitationSchema,
  invitationSchema,
  inviteChoicesSchema,
  inviteSchema,
  openedInvitationSchema,
  openInvitationSchema,
  sentInvitationSchema,
} from '#contract/organization/members.ts'
import { deletedSchema } from '#contract/schemas/responses.ts'
import { auditExempt } from '../../http/audit.ts'
import { byId } from '../../http/crud-routes.ts'
import { type Route, route, userOf } from '../../http/route.ts'
import { acceptInvitation, openInvitation } from './accept.ts'
import { invite, listChoices, listInvitations, resendInvitation, revokeInvitation } from './store.ts'

const access = { permission: 'users:manage', feature: 'feat:users' }
/** Guesses of a token are hopeless; this bounds what they cost. */
const limit = { max: 60, windowSeconds: 600 }

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/account/invite',
    summary: 'Invite somebody',
    description: 'Single use, valid for 7 days. Revoked if the inviter loses the role.',
    audit: 'invitation.create',
    confirmed: true,
    answer: sentInvitationSchema,
    errors: ['conflict', 'rate_limited'],
    access,
    body: inviteSchema,
    handle: async ({ context, actor, body }) => invite(context, userOf(actor), body),
  }),
  route({
    method: 'GET',
    path: '/account/invite/choices',
    summary: 'List what the caller can give to somebody they invite',
    answer: inviteChoicesSchema,
    access,
    handle: async ({ services, actor }) => listChoices(services, userOf(actor)),
  }),
  route({
    method: 'GET',
    path: '/account/invitations',
    summary: 'List open invitations',
    answer: z.array(invitationSchema),
    access,
    handle: async ({ services, actor }) => listInvitations(services, userOf(actor)),
  }),
  route({
    method: 'POST',
    path: '/account/invitations/:id/resend',
    summary: 'Send an invitation again',
    description: 'Valid for another 7 days. Older links stop working, and the caller becomes the inviter.',
    audit: 'invitation.resend',
    confirmed: true,
    answer: sentInvitationSchema,
    errors: ['rate_limited'],
    access,
    params: byId,
    handle: async ({ context, actor, params }) => resendInvitation(context, userOf(actor), params.id),
  }),
  route({
    method: 'DELETE',
    path: '/account/invitations/:id',
    summary: 'Revoke an invitation',
    audit: 'invitation.revoke',
    answer: deletedSchema,
    access,
    params: byId,
    handle: async ({ context, actor, params }) => revokeInvitation(context, userOf(actor), params.id),
  }),
  route({
    method: 'POST',
    path: '/account/invitation',
    summary: 'Read an invitation by the token of its link',
    audit: auditExempt.read,
    answer: openedInvitationSchema,
    errors: ['unauthorized'],
    access: 'public',
    body: openInvitationSchema,
    limit,
    handle: async ({ context, body }) => openInvitation(context, body.token),
  }),
  route({
    method: 'POST',
    path: '/account/invitation/accept',
    summary: 'Accept an invitation',
    description: 'New users send a name and password. Existing users sign in first.',
    audit: 'invitation.accept',
    answer: sessionUserSchema,
    errors: ['unauthorized', 'conflict'],
    access: 'public',
    body: acceptInvitationSchema,
    limit,
    handle: async ({ context, body }) => acceptInvitation(context, body),
  }),
]
