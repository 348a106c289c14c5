/** API calls for files and vector stores at a provider. */
import { queryOptions } from '@tanstack/react-query'
import type { ProviderFile, VectorStore, VectorStoreWithFiles } from '#contract/assistants/provider-files.ts'
import { api } from '../../../api/client.ts'
import { invalidate, keys } from '../../../api/query.ts'
import { type UploadOptions, upload } from '../../../api/upload.ts'
import type { ProviderFields } from './provider-form.ts'

export type Account = Pick<ProviderFields, 'type' | 'credential' | 'basepath'>

const AREA = 'provider-vector-stores'
const STORES = '/openai-assistants-vector-store'

const queryOf = ({ type, credential, basepath }: Account) => ({ type, credential, basepath })
const addressOf = (path: string, account: Account) => `${path}?${new URLSearchParams(queryOf(account))}`
const storePath = (id: string) => `${STORES}/${encodeURIComponent(id)}`

export const vectorStoresQuery = (account: Account) =>
  queryOptions({
    queryKey: keys.list(AREA, queryOf(account)),
    queryFn: () => api.get<VectorStore[]>(STORES, queryOf(account)),
    retry: false,
  })

export const vectorStoreQuery = (account: Account, id: string) =>
  queryOptions({
    queryKey: keys.list(AREA, { ...queryOf(account), id }),
    queryFn: () => api.get<VectorStoreWithFiles>(storePath(id), queryOf(account)),
    retry: false,
  })

export async function createVectorStore(account: Account, name: string): Promise<VectorStore> {
  const made = await api.post<VectorStore>(addressOf(STORES, account), { name })
  await invalidate(AREA)
  return made
}

/** Throws as `upload`. */
export const uploadFile = (account: Account, file: File, options: UploadOptions): Promise<ProviderFile> =>
  sendFile(addressOf('/openai-assistants-file/upload', account), file, options)

/** Throws as `upload`. */
export async function addToStore(
  account: Account,
  { id, file }: { id: string; file: File },
  options: UploadOptions,
): Promise<void> {
  await sendFile(addressOf(storePath(id), account), file, options)
  await invalidate(AREA)
}

export async function removeFromStore(account: Account, id: string, fileId: string): Promise<void> {
  await api.patch(addressOf(storePath(id), account), { file_ids: [fileId] })
  await invalidate(AREA)
}

async function sendFile(address: string, file: File, options: UploadOptions): Promise<ProviderFile> {
  const form = new FormData()
  form.set('files', file)
  const [sent] = await upload<[ProviderFile]>(address, form, options)
  return sent
}
