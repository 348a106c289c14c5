/** The calls for a file that is too large for one request: it is sent in parts and imported in the background. */
import { queryOptions } from '@tanstack/react-query'
import { type Choice, FILE_PART_BYTES, type LargeImport } from '#contract/export-import/export-import.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query.ts'
import { type UploadOptions, upload } from '../../api/upload.ts'

const PATH = '/export-import/imports'
const POLL_MS = 1000

const isWorking = (state: LargeImport['state'] | undefined): boolean =>
  state === 'checking' || state === 'importing' || state === 'writing'

/** Loads the import that the workspace has open, again and again while it works. */
export const openImportQuery = queryOptions({
  queryKey: ['large-import'],
  queryFn: () => api.get<{ import: LargeImport | null }>(PATH),
  refetchInterval: ({ state }) => (isWorking(state.data?.import?.state) ? POLL_MS : false),
})

const show = (shown: LargeImport | null) => queryClient.setQueryData(openImportQuery.queryKey, { import: shown })

/**
 * Sends a file in parts and has it checked. Throws ApiError, or the signal's reason after the import was cancelled.
 * @param onProgress receives the bytes that were sent
 */
export async function sendFile(
  file: File,
  { onProgress, signal }: { onProgress(bytes: number): void; signal: AbortSignal },
): Promise<void> {
  const { id, parts } = await api.post<LargeImport>(PATH, { name: file.name.slice(0, 200), size: file.size })
  try {
    for (let part = 0; part < parts; part++) {
      const from = part * FILE_PART_BYTES
      const bytes = new File([file.slice(from, from + FILE_PART_BYTES)], file.name)
      const options: UploadOptions = { onProgress: (done) => onProgress(from + done * bytes.size), signal }
      await upload<undefined>(`${PATH}/${id}/parts/${part}`, bytes, options)
    }
    const checking = await api.post<LargeImport>(`${PATH}/${id}/check`)
    signal.throwIfAborted()
    show(checking)
  } catch (error) {
    await closeImport(id).catch(() => {})
    throw error
  }
}

export async function runImport(id: string, choices: Record<string, Choice>): Promise<void> {
  show(await api.post<LargeImport>(`${PATH}/${encodeURIComponent(id)}/run`, { choices }))
}

/** Cancels it, or closes one that has ended. Returns it as it was: `done` when it could no longer be cancelled. */
export async function closeImport(id: string): Promise<LargeImport> {
  const closed = await api.delete<LargeImport>(`${PATH}/${encodeURIComponent(id)}`)
  show(null)
  return closed
}
