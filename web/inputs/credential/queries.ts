/** Credentials as the pickers and the form need them; secrets are sent, never received. */
import { useQuery } from '@tanstack/react-query'
import type { CredentialDefinition } from '#contract/flow/definition.ts'
import { api } from '../../api/client.ts'
import { invalidate, keys } from '../../api/query.ts'

export interface CredentialEntry {
  id: string
  name: string
  credentialName: string
}

/** The stored credentials of these types. */
export function useCredentials(names: readonly string[]) {
  const query = new URLSearchParams(names.map((name) => ['credentialName', name]))
  return useQuery({
    queryKey: keys.list('credentials', { names }),
    queryFn: () => api.get<CredentialEntry[]>(`/credentials?${query}`),
  })
}

/** Every credential type that there is a form for. */
export function useCredentialTypes() {
  return useQuery({
    queryKey: ['components-credentials'],
    queryFn: () => api.get<CredentialDefinition[]>('/components-credentials'),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export interface CredentialDraft {
  /** Absent for a new one. */
  id?: string
  name: string
  credentialName: string
  /** The fields that were filled in; a stored field that is absent keeps its value. */
  fields: Record<string, unknown>
}

/** Stores a credential and answers its entry. */
export async function saveCredential({ id, name, credentialName, fields }: CredentialDraft): Promise<CredentialEntry> {
  const body = { name, credentialName, plainDataObj: fields }
  const saved = id
    ? await api.put<CredentialEntry>(`/credentials/${id}`, body)
    : await api.post<CredentialEntry>('/credentials', body)
  await invalidate('credentials')
  return saved
}
