import { sessionUserSchema } from '#contract/account/account.ts'
import {
  emailLinkSchema,
  emailRequestSchema,
  emailSentSchema,
  resetPasswordSchema,
  undoneEmailSchema,
  verifiedSchema,
  verifySchema,
} from '#contract/organization/email-calls.ts'
import { auditExempt } from '../../http/audit.ts'
import { type Route, route, userOf } from '../../http/route.ts'
import { confirmNewEmail, requestNewEmail } from './email-change.ts'
import { forgotPassword, resetPassword } from './password-reset.ts'
import { undoNewEmail } from './undo-email-change.ts'
import { resendVerification, verifyAddress } from './verification.ts'

const LIMIT = { max: 30, windowSeconds: 600 }

export const emailRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/account/verify',
    summary: 'Confirm an email address',
    description:
      'Signs in the account that was waiting for it. In another browser than the one that registered, `password` is required and replaces the registered one.',
    audit: auditExempt.session,
    answer: verifiedSchema,
    access: 'public',
    body: verifySchema,
    limit: LIMIT,
    handle: ({ context, body }) => verifyAddress(context, body),
  }),
  route({
    method: 'POST',
    path: '/account/resend-verification',
    summary: 'Send the email that confirms an address again',
    audit: auditExempt.caller,
    answer: emailSentSchema,
    access: 'public',
    body: emailRequestSchema,
    limit: LIMIT,
    handle: ({ context, body }) => resendVerification(context, body.email),
  }),
  route({
    method: 'POST',
    path: '/account/forgot-password',
    summary: 'Send an email to choose a new password',
    audit: auditExempt.caller,
    answer: emailSentSchema,
    access: 'public',
    body: emailRequestSchema,
    limit: LIMIT,
    handle: ({ context, body }) => forgotPassword(context, body.email),
  }),
  route({
    method: 'POST',
    path: '/account/reset-password',
    summary: 'Choose a new password',
    description: 'Ends every session of the account. Two-step sign-in stays on.',
    audit: auditExempt.caller,
    answer: emailSentSchema,
    access: 'public',
    body: resetPasswordSchema,
    limit: LIMIT,
    handle: ({ context, body }) => resetPassword(context, body),
  }),
  route({
    method: 'POST',
    path: '/account/email',
    summary: 'Send a confirmation to a new email address',
    description: 'The email’s link changes your address. The response is the same if another account uses it.',
    audit: { none: 'It changes nothing until the new address is confirmed' },
    answer: emailSentSchema,
    errors: ['rate_limited'],
    access: 'account',
    confirmed: true,
    body: emailRequestSchema,
    limit: LIMIT,
    handle: ({ context, actor, body }) => requestNewEmail(context, userOf(actor), body.email),
  }),
  route({
    method: 'POST',
    path: '/account/email/confirm',
    summary: 'Change to the new address',
    description: 'The old address gets an email whose link undoes it, for 7 days.',
    audit: 'account.change-email',
    answer: sessionUserSchema,
    errors: ['conflict'],
    access: 'account',
    body: emailLinkSchema,
    limit: LIMIT,
    handle: ({ context, actor, body }) => confirmNewEmail(context, userOf(actor), body.token),
  }),
  route({
    method: 'POST',
    path: '/account/email/undo',
    summary: 'Go back to the old address',
    description: 'Ends every session of the account, and returns a token to choose a new password with.',
    audit: 'account.undo-email-change',
    answer: undoneEmailSchema,
    errors: ['conflict'],
    access: 'public',
    body: emailLinkSchema,
    limit: LIMIT,
    handle: ({ context, body }) => undoNewEmail(context, body.token),
  }),
]
