import {
  letterRequestSchema,
  letterSentSchema,
  resetPasswordSchema,
  verifiedSchema,
  verifySchema,
} from '#contract/organization/letter-calls.ts'
import { unaudited } from '../../http/audit.ts'
import { type Route, route } from '../../http/route.ts'
import { forgotPassword, resetPassword } from './password-reset.ts'
import { resendVerification, verifyAddress } from './verification.ts'

const LIMIT = { max: 30, windowSeconds: 600 }

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/account/verify',
    summary: 'Confirm an email address',
    description: 'Signs in the account that was waiting for it.',
    audit: unaudited.session,
    answer: verifiedSchema,
    access: 'public',
    body: verifySchema,
    limit: LIMIT,
    handle: ({ context, body }) => verifyAddress(context, body.token),
  }),
  route({
    method: 'POST',
    path: '/account/resend-verification',
    summary: 'Send the letter that confirms an address again',
    audit: unaudited.caller,
    answer: letterSentSchema,
    access: 'public',
    body: letterRequestSchema,
    limit: LIMIT,
    handle: ({ context, body }) => resendVerification(context, body.email),
  }),
  route({
    method: 'POST',
    path: '/account/forgot-password',
    summary: 'Send a letter to choose a new password',
    audit: unaudited.caller,
    answer: letterSentSchema,
    access: 'public',
    body: letterRequestSchema,
    limit: LIMIT,
    handle: ({ context, body }) => forgotPassword(context, body.email),
  }),
  route({
    method: 'POST',
    path: '/account/reset-password',
    summary: 'Choose a new password',
    description: 'Ends every session of the account. Its second step stays.',
    audit: unaudited.caller,
    answer: letterSentSchema,
    access: 'public',
    body: resetPasswordSchema,
    limit: LIMIT,
    handle: ({ context, body }) => resetPassword(context, body),
  }),
]
