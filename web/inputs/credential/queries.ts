/** API calls for credentials. Secrets are sent but never received. */
import { queryOptions } from '@tanstack/react-query'
import type {
  ConnectionTest,
  Credential,
  CredentialWithFields,
  ListedCredential,
} from '#contract/credentials/credentials.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'credentials'

/** Loads the credentials of the given types, or all. */
export const credentialsQuery = (names: readonly string[] = []) =>
  queryOptions({
    queryKey: keys.list(AREA, { names }),
    queryFn: () => {
      const query = new URLSearchParams(names.map((name) => ['credentialName', name]))
      return api.get<ListedCredential[]>(`/credentials?${query}`, undefined, { background: true })
    },
  })

/** Loads the credential types with their fields. */
export const definitionsQuery = queryOptions({
  queryKey: keys.one(AREA, 'definitions'),
  queryFn: () => api.get<CredentialDefinition[]>('/components-credentials'),
  staleTime: 300_000,
})

/** Loads a credential with redacted secrets. */
export function credentialQuery(id: string) {
  return queryOptions({
    queryKey: keys.one(AREA, id),
    queryFn: () => api.get<CredentialWithFields>(`/credentials/${id}`),
    staleTime: 0,
    gcTime: 0,
  })
}

interface CredentialFields {
  name: string
  credentialName: string
  plainDataObj: Record<string, string>
  /** null: any. */
  hosts: string[] | null | undefined
}

/** Creates a credential, or updates the given fields of the one with `id`. */
export async function saveCredential(fields: CredentialFields, id?: string): Promise<Credential> {
  const saved = await (id
    ? api.put<Credential>(`/credentials/${id}`, fields)
    : api.post<Credential>('/credentials', fields))
  await invalidate(AREA)
  return saved
}

export async function deleteCredential(id: string): Promise<void> {
  await api.delete(`/credentials/${id}`)
  await invalidate(AREA)
}

/** Tries a credential; with an id, what is stored of it with these fields. */
export function testCredential(
  draft: Omit<CredentialFields, 'name' | 'hosts'> & { id?: string | undefined; url?: string },
) {
  return api.post<ConnectionTest>('/credentials/test', draft)
}
