/** Changes to flows that several areas share. */
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { SourceFile } from '#contract/flow/sources.ts'
import { api } from './client.ts'
import { invalidate } from './query.ts'

/** The query area of flows. */
export const FLOWS = 'chatflows'

/** Settings that a copy of a flow keeps. */
const SETTINGS = [
  'name',
  'flowData',
  'deployed',
  'isPublic',
  'apikeyid',
  'callers',
  'chatbotConfig',
  'apiConfig',
  'analytic',
  'speechToText',
  'textToSpeech',
  'followUpPrompts',
  'category',
] as const

type NewFlow = Pick<Chatflow, 'name' | 'flowData' | 'type'> &
  Partial<Chatflow> & {
    versionNote?: string
    /** The id of the flow whose files it takes along. */
    copyOf?: string
    sources?: SourceFile[]
  }

/** Creates a flow with the settings that are given. Throws ApiError. */
export async function createFlow({ type, versionNote, copyOf, sources, ...flow }: NewFlow): Promise<Chatflow> {
  const settings = Object.fromEntries(SETTINGS.map((key) => [key, flow[key]]))
  const body = {
    ...settings,
    type,
    ...(versionNote && { versionNote }),
    ...(copyOf && { copyOf }),
    ...(sources?.length && { sources }),
  }
  const created = await api.post<Chatflow>('/chatflows', body)
  await invalidate(FLOWS)
  return created
}

/** Returns the source files of a flow's draft. Throws ApiError. */
export const loadSources = (id: string): Promise<SourceFile[]> => api.get(`/chatflows/${id}/sources`)

/** Returns a flow as its file holds it: with its source files, where it has some. */
export const flowFile = (flow: object, sources: readonly SourceFile[]): object =>
  sources.length > 0 ? { ...flow, sources } : flow

export async function renameFlow(id: string, name: string): Promise<void> {
  await api.put(`/chatflows/${id}`, { name })
  await invalidate(FLOWS)
}
