/** API calls for files and vector stores at a provider. */
import { queryOptions } from '@tanstack/react-query'
import type { ProviderFile, VectorStore, VectorStoreWithFiles } from '#contract/assistants/provider-files.ts'
import { errorMessage } from '#contract/errors.ts'
import { api } from '../../../api/client.ts'
import { invalidate, keys } from '../../../api/query.ts'
import { type UploadOptions, upload } from '../../../api/upload.ts'
import { notify } from '../../../state/notify.ts'
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

/** Throws as `upload`. What a cancelled upload has left at the provider is deleted there. */
export const uploadFile = (account: Account, file: File, options: UploadOptions): Promise<ProviderFile> =>
  sendFile(addressOf('/openai-assistants-file/upload', account), account, { file, options })

/** Adds files to a vector store. Returns and throws as `uploadFile` does. */
export async function addToStore(
  account: Account,
  { id, file }: { id: string; file: File },
  options: UploadOptions,
): Promise<void> {
  await sendFile(addressOf(storePath(id), account), account, { file, options })
  await invalidate(AREA)
}

export async function removeFromStore(account: Account, id: string, fileId: string): Promise<void> {
  await api.patch(addressOf(storePath(id), account), { file_ids: [fileId] })
  await invalidate(AREA)
}

interface Sending {
  file: File
  options: UploadOptions
}

async function sendFile(address: string, account: Account, { file, options }: Sending): Promise<ProviderFile> {
  const form = new FormData()
  form.set('files', file)
  const takeBack = ([sent]: [ProviderFile]) => void deleteFile(account, { id: sent.id, name: file.name })
  const [sent] = await upload<[ProviderFile]>(address, form, { ...options, takeBack })
  return sent
}

async function deleteFile(account: Account, { id, name }: { id: string; name: string }): Promise<void> {
  try {
    await api.delete(addressOf(`/openai-assistants-file/${encodeURIComponent(id)}`, account))
  } catch (error) {
    notify.error(`“${name}” is still at the provider. Delete it there: ${errorMessage(error)}`)
  }
  await invalidate(AREA)
}
