import { queryOptions } from '@tanstack/react-query'
import type { Assistant, AssistantType, ListedAssistant } from '#contract/assistants/assistants.ts'
import type { ProviderAssistant } from '#contract/assistants/provider-assistants.ts'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { CustomDetails } from '#contract/flow/kinds/assistant/details.ts'
import type { GenerateRequest } from '#contract/generator/generator.ts'
import { api } from '../../api/client.ts'
import { FLOWS } from '../../api/flows.ts'
import { invalidate, keys } from '../../api/query.ts'

const AREA = 'assistants'

export const assistantsQuery = (type: AssistantType) =>
  queryOptions({
    queryKey: keys.list(AREA, { type }),
    queryFn: () => api.get<ListedAssistant[]>('/assistants', { type }),
  })

/** Assistants that live at a provider. */
export const providerAssistantsQuery = queryOptions({
  queryKey: keys.list(AREA, { custom: false }),
  queryFn: async () => {
    const all = await api.get<ListedAssistant[]>('/assistants')
    return all.filter(({ type }) => type !== 'CUSTOM')
  },
})

/** Creates an assistant at its provider, or updates the one with `id`. */
export async function saveAtProvider(
  { type, ...fields }: Pick<Assistant, 'type' | 'credential' | 'details'>,
  id: string | undefined,
): Promise<void> {
  await (id ? api.put(`/assistants/${id}`, fields) : api.post('/assistants', { ...fields, type }))
  await refreshLists()
}

export const findAtProvider = ({
  credential,
  type,
  basepath,
}: {
  credential: string
  type: string
  basepath: string
}) => api.get<ProviderAssistant[]>('/openai-assistants', { credential, type, basepath })

/** A custom assistant with the flow that it runs as. Throws ApiError. */
export async function readCustom(id: string): Promise<{ assistant: Assistant; flow: Chatflow }> {
  const path = encodeURIComponent(id)
  const [assistant, flow] = await Promise.all([
    api.get<Assistant>(`/assistants/${path}`),
    api.get<Chatflow>(`/chatflows/${path}`),
  ])
  return { assistant, flow }
}

/** Loaded once: the open page owns the assistant, and its version guards the save. */
export const customQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one('assistant', id),
    queryFn: () => readCustom(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  })

export async function createCustom(details: Partial<CustomDetails> & { name: string }): Promise<Assistant> {
  const created = await api.post<Assistant>('/assistants', { type: 'CUSTOM', details: JSON.stringify(details) })
  await refreshLists()
  return created
}

/** Throws ApiError, with status 409 when the assistant was saved since `version`. Returns the flow as it is stored now. */
export async function saveCustom(id: string, details: CustomDetails, version: number | undefined): Promise<Chatflow> {
  await api.put(`/assistants/${id}`, { details: JSON.stringify(details), version })
  void refreshLists()
  return api.get<Chatflow>(`/chatflows/${id}`)
}

/** @param isDeleteBoth also deletes an assistant at its provider */
export async function deleteAssistant(id: string, isDeleteBoth = false): Promise<void> {
  await api.delete(`/assistants/${id}`, isDeleteBoth ? { isDeleteBoth } : undefined)
  await refreshLists()
}

export const generateInstruction = (task: string, selectedChatModel: GenerateRequest['selectedChatModel']) =>
  api.post<{ content: string }>('/assistants/generate/instruction', { task, selectedChatModel })

async function refreshLists(): Promise<void> {
  await Promise.all([invalidate(AREA), invalidate(FLOWS)])
}
