import * as z from 'zod'
import {
  emailSettingsSchema,
  profileSchema,
  registerSchema,
  sessionUserSchema,
  setupCheckSchema,
  signedOutSchema,
} from '#contract/account/account.ts'
import { basicAuthLoginSchema, basicAuthSchema, emailSentSchema } from '#contract/organization/email-calls.ts'
import { auditExempt } from '../../http/audit.ts'
import { type Route, route, userOf } from '../../http/route.ts'
import { sessionUser, signOut } from '../auth/index.ts'
import { basicAuthCheck, openSetup } from './basic-auth.ts'
import { emailRoutes } from './email-routes.ts'
import { readEmailSettings, saveEmailSettings } from './email-settings.ts'
import { saveProfile } from './profile.ts'
import { register } from './register.ts'
import { setupCheck } from './setup.ts'

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/account/register',
    summary: 'Create an account and sign in',
    audit: auditExempt.session,
    description: 'In cloud an email confirms the address first, and its token signs in: see `/account/verify`.',
    answer: z.union([sessionUserSchema, emailSentSchema]),
    access: 'public',
    body: registerSchema,
    limit: { max: 30, windowSeconds: 600 },
    handle: ({ context, body }) => register(context, body),
  }),
  route({
    method: 'GET',
    path: '/account/basic-auth',
    summary: 'Check whether /setup asks for a user name and a password',
    answer: basicAuthSchema,
    access: 'public',
    handle: ({ services }) => basicAuthCheck(services),
  }),
  route({
    method: 'POST',
    path: '/account/basic-auth',
    summary: 'Open /setup with the user name and the password of the server',
    audit: auditExempt.session,
    answer: basicAuthSchema,
    access: 'public',
    body: basicAuthLoginSchema,
    limit: { max: 10, windowSeconds: 300 },
    handle: ({ context, body }) => openSetup(context, body),
  }),
  route({
    method: 'POST',
    path: '/account/logout',
    summary: 'Sign out',
    audit: auditExempt.session,
    answer: signedOutSchema,
    access: 'public',
    handle: ({ context }) => signOut(context),
  }),
  route({
    method: 'PUT',
    path: '/account/profile',
    summary: 'Change the own name',
    audit: 'account.change-name',
    answer: sessionUserSchema,
    access: 'account',
    body: profileSchema,
    async handle({ context, services, actor, body }) {
      await saveProfile(context, userOf(actor), body)
      return sessionUser(services, userOf(actor).sessionId)
    },
  }),
  route({
    method: 'GET',
    path: '/email-settings',
    summary: 'Get which emails of this organization you receive',
    answer: emailSettingsSchema,
    access: 'signed-in',
    handle: ({ services, actor }) => readEmailSettings(services, userOf(actor)),
  }),
  route({
    method: 'PUT',
    path: '/email-settings',
    summary: 'Choose which emails of this organization you receive',
    audit: auditExempt.content,
    answer: emailSettingsSchema,
    access: 'signed-in',
    body: emailSettingsSchema,
    handle: ({ services, actor, body }) => saveEmailSettings(services, userOf(actor), body),
  }),
  route({
    method: 'GET',
    path: '/account/setup-check',
    summary: 'Check whether the first account is still missing',
    answer: setupCheckSchema,
    access: 'public',
    handle: ({ services }) => setupCheck(services),
  }),
  ...emailRoutes,
]
