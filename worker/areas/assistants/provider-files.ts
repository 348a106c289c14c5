/** Files of assistants at a provider, and the vector stores that they are searched in. */
import type {
  CreateVectorStore,
  ProviderFile,
  UpdateVectorStore,
  VectorStore,
  VectorStoreWithFiles,
} from '#contract/assistants/provider-files.ts'
import type { ProviderCall } from './provider.ts'

interface Page<Item> {
  data?: Item[]
}

const STORES = '/vector_stores'

export const listVectorStores = async (call: ProviderCall): Promise<VectorStore[]> =>
  (await call<Page<VectorStore>>('GET', STORES)).data ?? []

/** Returns a store with the names of its files. */
export async function readVectorStore(call: ProviderCall, id: string): Promise<VectorStoreWithFiles> {
  const [store, inside, all] = await Promise.all([
    call<VectorStore>('GET', `${STORES}/${id}`),
    call<Page<{ id: string; status?: string }>>('GET', `${STORES}/${id}/files`),
    call<Page<ProviderFile>>('GET', '/files'),
  ])
  const known = new Map((all.data ?? []).map((file) => [file.id, file]))
  const files = (inside.data ?? []).map(({ id, status }) => ({ ...known.get(id), id, ...(status && { status }) }))
  return { ...store, files }
}

export const createVectorStore = (call: ProviderCall, values: CreateVectorStore): Promise<VectorStore> =>
  call('POST', STORES, values)

export const updateVectorStore = (call: ProviderCall, id: string, values: UpdateVectorStore): Promise<VectorStore> =>
  call('POST', `${STORES}/${id}`, values)

export const deleteVectorStore = (call: ProviderCall, id: string): Promise<{ id: string; deleted: boolean }> =>
  call('DELETE', `${STORES}/${id}`)

/** Uploads files one after the other. All or none: what was uploaded before a failure is deleted. */
export async function uploadFiles(call: ProviderCall, files: readonly File[]): Promise<ProviderFile[]> {
  const uploaded: ProviderFile[] = []
  try {
    for (const file of files) {
      const form = new FormData()
      form.set('purpose', 'assistants')
      form.set('file', file, file.name)
      uploaded.push(await call<ProviderFile>('POST', '/files', form))
    }
    return uploaded
  } catch (error) {
    await deleteFiles(call, uploaded)
    throw error
  }
}

/** Uploads files into a vector store. */
export async function addFiles(call: ProviderCall, id: string, files: readonly File[]): Promise<ProviderFile[]> {
  const uploaded = await uploadFiles(call, files)
  try {
    await call('POST', `${STORES}/${id}/file_batches`, { file_ids: uploaded.map((file) => file.id) })
    return uploaded
  } catch (error) {
    await deleteFiles(call, uploaded)
    throw error
  }
}

/** Takes files out of a vector store; they stay in the account, where others may use them. */
export async function removeFiles(call: ProviderCall, id: string, fileIds: readonly string[]) {
  for (const fileId of fileIds) await call('DELETE', `${STORES}/${id}/files/${fileId}`)
  return { deletedFileIds: [...fileIds], count: fileIds.length }
}

/** Deletes a file at the provider, which takes it out of its vector stores. */
export const deleteFile = (call: ProviderCall, id: string): Promise<{ id: string; deleted: boolean }> =>
  call('DELETE', `/files/${encodeURIComponent(id)}`)

async function deleteFiles(call: ProviderCall, files: readonly ProviderFile[]): Promise<void> {
  for (const { id } of files) await deleteFile(call, id).catch(() => {})
}
