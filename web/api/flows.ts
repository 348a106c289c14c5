/** Changes to flows that several areas share. */
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import type { SourceFile, StoredSourceFile } from '#contract/flow/sources.ts'
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

export interface LoadedSources {
  sources: SourceFile[]
  /** The names of those whose bytes are lost. */
  lost: string[]
}

/** Returns the source files of a flow's draft. Throws ApiError. */
export async function loadSources(id: string): Promise<LoadedSources> {
  const files = await api.get<StoredSourceFile[]>(`/chatflows/${id}/sources`)
  return {
    sources: files.flatMap(({ name, data }) => (data === null ? [] : { name, data })),
    lost: files.flatMap(({ name, data }) => (data === null ? name : [])),
  }
}

export async function renameFlow(id: string, name: string): Promise<void> {
  await api.put(`/chatflows/${id}`, { name })
  await invalidate(FLOWS)
}
