import { queryOptions } from '@tanstack/react-query'
import type {
  DirectoryGroup,
  DirectoryTokens,
  MapDirectoryGroup,
  NewDirectoryToken,
} from '#contract/organization/directory.ts'
import type {
  Identities,
  ListedDomain,
  ListedProvider,
  Places,
  ProviderChange,
  ProviderDraft,
} from '#contract/organization/sso.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const PROVIDERS = 'sso-providers'
const DOMAINS = 'sso-domains'
const IDENTITIES = 'identities'
const TOKENS = 'scim-tokens'
const GROUPS = 'scim-groups'

/** API paths of the organization's and of the platform's providers. */
export type ProvidersPath = '/sso-providers' | '/platform/sso-providers'

export const providersQuery = (path: ProvidersPath) =>
  queryOptions({
    queryKey: [...keys.list(PROVIDERS), path],
    queryFn: () => api.get<ListedProvider[]>(path),
  })

export const placesQuery = queryOptions({
  queryKey: keys.list('sso-places'),
  queryFn: () => api.get<Places>('/sso-places'),
})

export async function createProvider(path: ProvidersPath, draft: ProviderDraft): Promise<void> {
  await api.post(path, draft)
  await invalidate(PROVIDERS)
}

export async function updateProvider(path: ProvidersPath, id: string, change: ProviderChange): Promise<void> {
  await api.put(`${path}/${id}`, change)
  await invalidate(PROVIDERS)
}

export async function deleteProvider(path: ProvidersPath, id: string): Promise<void> {
  await api.delete(`${path}/${id}`)
  await invalidate(PROVIDERS)
}

export const domainsQuery = queryOptions({
  queryKey: keys.list(DOMAINS),
  queryFn: () => api.get<ListedDomain[]>('/sso-domains'),
})

export async function createDomain(domain: string): Promise<void> {
  await api.post('/sso-domains', { domain })
  await invalidate(DOMAINS)
}

export async function proveDomain(id: string): Promise<void> {
  await api.post(`/sso-domains/${id}/prove`, {})
  await invalidate(DOMAINS)
}

export async function deleteDomain(id: string): Promise<void> {
  await api.delete(`/sso-domains/${id}`)
  await invalidate(DOMAINS)
}

export const tokensQuery = queryOptions({
  queryKey: keys.list(TOKENS),
  queryFn: () => api.get<DirectoryTokens>('/scim-tokens'),
})

export async function createToken(name: string): Promise<NewDirectoryToken> {
  const created = await api.post<NewDirectoryToken>('/scim-tokens', { name })
  await invalidate(TOKENS)
  return created
}

export async function revokeToken(id: string): Promise<void> {
  await api.delete(`/scim-tokens/${id}`)
  await invalidate(TOKENS)
}

export const groupsQuery = queryOptions({
  queryKey: keys.list(GROUPS),
  queryFn: () => api.get<DirectoryGroup[]>('/scim-groups'),
})

export async function mapGroup(id: string, place: MapDirectoryGroup['place']): Promise<void> {
  await api.put(`/scim-groups/${id}`, { place })
  await invalidate(GROUPS)
}

export const identitiesQuery = queryOptions({
  queryKey: keys.list(IDENTITIES),
  queryFn: () => api.get<Identities>('/account/identities'),
})

export async function unlinkIdentity(identity: { issuer: string; subject: string }): Promise<void> {
  await api.post('/account/identities/unlink', identity)
  await invalidate(IDENTITIES)
}

/** Sends this browser to a provider: for a test, or to link the account. */
export async function visitProvider(path: string): Promise<void> {
  const { url } = await api.post<{ url: string }>(path, {})
  location.assign(url)
}
