import { queryOptions } from '@tanstack/react-query'
import type { Credential, CredentialWithFields } from '#contract/credentials.ts'
import type { CredentialDefinition } from '#contract/flow/definition.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'credentials'

export const credentialsQuery = queryOptions({
  queryKey: keys.list(AREA),
  queryFn: () => api.get<Credential[]>('/credentials'),
})

/** The types of credentials with their forms. */
export const definitionsQuery = queryOptions({
  queryKey: keys.one(AREA, 'definitions'),
  queryFn: () => api.get<CredentialDefinition[]>('/components-credentials'),
  staleTime: 300_000,
})

/** One credential; of its secrets only that they are there. */
export function credentialQuery(id: string) {
  return queryOptions({
    queryKey: keys.one(AREA, id),
    queryFn: () => api.get<CredentialWithFields>(`/credentials/${id}`),
    staleTime: 0,
    gcTime: 0,
  })
}

export interface CredentialFields {
  name: string
  credentialName: string
  plainDataObj: Record<string, string>
}

/** Creates a credential, or changes the one with `id`; fields that are not given stay as they are. */
export async function saveCredential(fields: CredentialFields, id?: string): Promise<void> {
  await (id ? api.put(`/credentials/${id}`, fields) : api.post('/credentials', fields))
  await invalidate(AREA)
}

export async function deleteCredential(id: string): Promise<void> {
  await api.delete(`/credentials/${id}`)
  await invalidate(AREA)
}
