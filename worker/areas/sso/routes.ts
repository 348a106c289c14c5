import * as z from 'zod'
import {
  askMethodsSchema,
  createDomainSchema,
  createProviderSchema,
  domainSchema,
  identitiesSchema,
  identityProviderSchema,
  journeySchema,
  loginMethodsSchema,
  methodsSchema,
  placesSchema,
  unlinkSchema,
  updateProviderSchema,
} from '#contract/organization/sso.ts'
import { auditExempt } from '../../http/audit.ts'
import { byId } from '../../http/crud-routes.ts'
import { type Access, noContent, type Route, route, type UserActor, userOf } from '../../http/route.ts'
import { findMethods, platformMethods } from '../auth/index.ts'
import { createDomain, deleteDomain, listDomains, proveDomain } from './domains.ts'
import { askProvider, linkIdentity, listIdentities, unlinkIdentity } from './identities.ts'
import type { Owner } from './records.ts'
import { receiveAnswer, startSignIn } from './sign-in.ts'
import { createProvider, deleteProvider, listPlaces, listProviders, testProvider, updateProvider } from './store.ts'

const feature = 'feat:sso-config'
const forReaders: Access = { permission: 'sso:manage', feature }
/** Whoever sets how people sign in can come in as any of them. */
const forAdmins: Access = { organizationAdminOnly: true, feature }
const ofPlatform: Access = { adminOnly: true, feature }

const startSchema = z.object({ next: z.string().max(2000).optional() })
const answerSchema = z.object({
  code: z.string().max(8000).optional(),
  state: z.string().max(500).optional(),
  iss: z.string().max(500).optional(),
  error: z.string().max(500).optional(),
  error_description: z.string().max(2000).optional(),
})

interface Managed {
  path: string
  /** `of the organization` */
  whose: string
  readers: Access
  access: Access
  ownerOf(actor: UserActor): Owner
}

function providerRoutes({ path, whose, readers, access, ownerOf }: Managed): Route[] {
  const asOwner = (actor: UserActor) => ({ actor, owner: ownerOf(actor) })
  return [
    route({
      method: 'GET',
      path,
      summary: `List the identity providers ${whose}`,
      answer: z.array(identityProviderSchema),
      access: readers,
      handle: ({ context, actor }) => listProviders(context, ownerOf(userOf(actor))),
    }),
    route({
      method: 'POST',
      path,
      summary: `Add an identity provider ${whose}`,
      audit: 'identity-provider.create',
      confirmed: true,
      answer: identityProviderSchema,
      access,
      body: createProviderSchema,
      handle: ({ context, actor, body }) => createProvider(context, asOwner(userOf(actor)), body),
    }),
    route({
      method: 'PUT',
      path: `${path}/:id`,
      summary: `Change an identity provider ${whose}`,
      description: 'Changing URLs or secrets disables it until it is tested again.',
      audit: 'identity-provider.update',
      confirmed: true,
      answer: identityProviderSchema,
      errors: ['conflict'],
      access,
      params: byId,
      body: updateProviderSchema,
      handle: ({ context, actor, params, body }) =>
        updateProvider(context, { ...asOwner(userOf(actor)), ...params }, body),
    }),
    route({
      method: 'DELETE',
      path: `${path}/:id`,
      summary: `Delete an identity provider ${whose}`,
      description: 'Ends the sessions it opened.',
      audit: 'identity-provider.delete',
      confirmed: true,
      answer: noContent,
      access,
      params: byId,
      async handle({ context, actor, params }) {
        await deleteProvider(context, { ...asOwner(userOf(actor)), ...params })
        return context.body(null, 204)
      },
    }),
    route({
      method: 'POST',
      path: `${path}/:id/test`,
      summary: `Start a test sign-in with an identity provider ${whose}`,
      description: 'Open the address in the same browser. A sign-in there proves that the settings work.',
      audit: 'identity-provider.test',
      answer: journeySchema,
      errors: ['conflict'],
      access,
      params: byId,
      handle: ({ context, actor, params }) => testProvider(context, { ...asOwner(userOf(actor)), ...params }),
    }),
  ]
}

const domainRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/sso-domains',
    summary: 'List the domains of the organization',
    answer: z.array(domainSchema),
    access: forReaders,
    handle: ({ context, actor }) => listDomains(context, userOf(actor)),
  }),
  route({
    method: 'POST',
    path: '/sso-domains',
    summary: 'Claim a domain',
    audit: 'domain.create',
    answer: domainSchema,
    errors: ['conflict'],
    access: forAdmins,
    body: createDomainSchema,
    handle: ({ context, actor, body }) => createDomain(context, userOf(actor), body.domain),
  }),
  route({
    method: 'POST',
    path: '/sso-domains/:id/prove',
    summary: 'Prove a domain by its TXT record',
    audit: 'domain.prove',
    confirmed: true,
    answer: domainSchema,
    errors: ['conflict'],
    access: forAdmins,
    params: byId,
    limit: { max: 30, windowSeconds: 300 },
    handle: ({ context, actor, params }) => proveDomain(context, userOf(actor), params.id),
  }),
  route({
    method: 'DELETE',
    path: '/sso-domains/:id',
    summary: 'Delete a domain',
    audit: 'domain.delete',
    confirmed: true,
    answer: noContent,
    access: forAdmins,
    params: byId,
    async handle({ context, actor, params }) {
      await deleteDomain(context, userOf(actor), params.id)
      return context.body(null, 204)
    },
  }),
]

const accountRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/account/identities',
    summary: 'List what the account is linked with at identity providers',
    answer: identitiesSchema,
    access: 'account',
    handle: ({ context, actor }) => listIdentities(context, userOf(actor)),
  }),
  route({
    method: 'POST',
    path: '/account/identities/:id/link',
    summary: 'Start linking the account with an identity provider',
    audit: 'account.link-identity',
    confirmed: true,
    answer: journeySchema,
    errors: ['conflict'],
    access: 'account',
    params: byId,
    handle: ({ context, actor, params }) => linkIdentity(context, userOf(actor), params.id),
  }),
  route({
    method: 'POST',
    path: '/account/identities/unlink',
    summary: 'Unlink an identity from the account',
    audit: 'account.unlink-identity',
    confirmed: true,
    answer: noContent,
    errors: ['conflict', 'not_found'],
    access: 'account',
    body: unlinkSchema,
    async handle({ context, actor, body }) {
      await unlinkIdentity(context, userOf(actor), body)
      return context.body(null, 204)
    },
  }),
]

const signInRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/loginmethod/default',
    summary: 'List the sign-in providers',
    answer: loginMethodsSchema,
    access: 'public',
    handle: ({ services }) => platformMethods(services),
  }),
  route({
    method: 'POST',
    path: '/auth/methods',
    summary: 'Get how people of an address’s domain sign in',
    description: 'The response depends only on the domain, never on whether the address has an account.',
    audit: auditExempt.read,
    answer: methodsSchema,
    access: 'public',
    body: askMethodsSchema,
    limit: { max: 60, windowSeconds: 300 },
    handle: ({ services, body }) => findMethods(services, body.email),
  }),
  route({
    method: 'POST',
    path: '/auth/confirm/provider',
    summary: 'Start confirming that it is you with the identity provider that you signed in with',
    description:
      'Open the address in the same browser. A sign-in there counts for the session for ten minutes, in the provider’s organization only.',
    audit: auditExempt.session,
    answer: journeySchema,
    errors: ['conflict', 'not_found'],
    access: 'signed-in',
    limit: { max: 60, windowSeconds: 300 },
    handle: ({ context, actor }) => askProvider(context, userOf(actor)),
  }),
  route({
    method: 'GET',
    path: '/sso/:id/start',
    summary: 'Sign in with an identity provider',
    description: 'For browsers: redirects to the provider, or to the sign-in page with an error.',
    answer: [{ status: 302 }],
    access: 'public',
    params: byId,
    query: startSchema,
    limit: { max: 60, windowSeconds: 300 },
    handle: ({ context, params, query }) => startSignIn(context, params.id, query.next ?? ''),
  }),
  route({
    method: 'GET',
    path: '/sso/:id/callback',
    summary: 'Take the answer of an identity provider',
    description: 'Providers redirect browsers here, which then redirects to a page.',
    answer: [{ status: 302 }],
    access: 'public',
    params: byId,
    query: answerSchema,
    limit: { max: 60, windowSeconds: 300 },
    handle: ({ context, params, query }) => receiveAnswer(context, params.id, query),
  }),
]

export const routes: Route[] = [
  ...providerRoutes({
    path: '/sso-providers',
    whose: 'of the organization',
    readers: forReaders,
    access: forAdmins,
    ownerOf: ({ organizationId }) => ({ organizationId }),
  }),
  ...providerRoutes({
    path: '/platform/sso-providers',
    whose: 'of the platform',
    readers: ofPlatform,
    access: ofPlatform,
    ownerOf: () => ({ organizationId: null }),
  }),
  route({
    method: 'GET',
    path: '/sso-places',
    summary: 'List the workspaces and roles that an identity provider can give',
    answer: placesSchema,
    access: forReaders,
    handle: ({ context, actor }) => listPlaces(context, userOf(actor)),
  }),
  ...domainRoutes,
  ...accountRoutes,
  ...signInRoutes,
]
