import * as z from 'zod'
import {
  addPasskeySchema,
  passkeyOptionsSchema,
  passkeySchema,
  renamePasskeySchema,
} from '#contract/organization/passkeys.ts'
import { noContent, type Route, route, userOf } from '../../http/route.ts'
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './passkeys.ts'

const passkeyId = z.object({ id: z.string().max(1400) })

export const passkeyRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/account/passkeys/options',
    summary: 'Start adding a passkey',
    audit: { none: 'It changes nothing until the browser has made one' },
    answer: passkeyOptionsSchema,
    errors: ['conflict'],
    access: 'account',
    confirmed: true,
    handle: ({ context, actor }) => startPasskey(context, userOf(actor)),
  }),
  route({
    method: 'POST',
    path: '/account/passkeys',
    summary: 'Add a passkey',
    audit: 'account.add-passkey',
    answer: passkeySchema,
    errors: ['conflict'],
    access: 'account',
    confirmed: true,
    body: addPasskeySchema,
    handle: ({ context, actor, body }) => addPasskey(context, userOf(actor), body),
  }),
  route({
    method: 'PATCH',
    path: '/account/passkeys/:id',
    summary: 'Rename a passkey',
    audit: { none: 'Its name is for its owner alone' },
    answer: noContent,
    access: 'account',
    params: passkeyId,
    body: renamePasskeySchema,
    async handle({ context, actor, params, body }) {
      await renamePasskey(context, userOf(actor), { ...params, ...body })
      return context.body(null, 204)
    },
  }),
  route({
    method: 'DELETE',
    path: '/account/passkeys/:id',
    summary: 'Remove a passkey',
    audit: 'account.remove-passkey',
    answer: noContent,
    access: 'account',
    confirmed: true,
    params: passkeyId,
    async handle({ context, actor, params }) {
      await removePasskey(context, userOf(actor), params.id)
      return context.body(null, 204)
    },
  }),
]
