/** An open flow and its saves. Each save names the version it is based on, so that no newer one is overwritten. */
import { proxy } from 'valtio'
import type { Callers } from '#contract/access/callers.ts'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { truncate } from '#contract/data/format.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { newDocument } from '#contract/flow/document/draw.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { serializeFlow } from '#contract/flow/document/serialize.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { RunLimits } from '#contract/runs/limits.ts'
import { api } from '../api/client.ts'
import { isConflict } from '../api/errors.ts'
import { createFlow, FLOWS } from '../api/flows.ts'
import { invalidate } from '../api/query.ts'
import type { CanvasKind } from '../canvas/kinds/types.ts'
import { type Canvas, createCanvas, isDirty, markSaved, replaceFlow } from '../canvas/store/store.ts'
import { settleUploads } from './pending-uploads.ts'

export interface Draft {
  canvas: Canvas
  state: {
    /** Null until saved for the first time. */
    id: string | null
    name: string
    savedName: string
    version: number
    /** Null when never published: callers get every save. */
    publishedVersion: number | null
    hasUnpublishedChanges: boolean
    runLimits: RunLimits | null
    apiConfig: string | null
    callers: Callers
    apikeyid: string | null
    chatbotConfig: string | null
    followUpPrompts: string | null
    speechToText: string | null
    textToSpeech: string | null
    saving: boolean
    /** The newer version that someone else saved. */
    conflict: number | null
  }
}

/** A stored flow where no canvas is open. */
export type StoredDraft = Pick<Draft, 'state'>

type SaveResult = 'saved' | 'conflict'

/** Opens a stored flow. Throws an Error with a message for people when its document cannot be read. */
export function openDraft(stored: Chatflow, definitions: readonly ComponentDefinition[], kind: CanvasKind): Draft {
  const canvas = createCanvas(openDocument(stored), definitions, kind)
  return { canvas, ...storedDraft(stored) }
}

export function storedDraft(stored: Chatflow): StoredDraft {
  return { state: proxy({ ...identity(stored), saving: false, conflict: null }) }
}

/** Replaces what is known of the stored flow, besides its document. */
export function followStored({ state }: StoredDraft, stored: Chatflow): void {
  Object.assign(state, identity(stored), { conflict: null })
}

/** CSS pixels of a window with room for a flow as it is drawn. */
const WIDE = 768

/** Returns a new flow. It has no changes to save until a person edits it. */
export function newDraft(definitions: readonly ComponentDefinition[], kind: CanvasKind): Draft {
  const canvas = createCanvas(newDocument(kind.flow, definitions), definitions, kind)
  // The first node stands at the left, with room for the next ones. A phone shows all of them.
  if (globalThis.innerWidth >= WIDE) canvas.view = { x: 0, y: 100, zoom: 1 }
  const name = kind.flow.newName
  const state = {
    id: null,
    name,
    savedName: name,
    version: 0,
    publishedVersion: null,
    hasUnpublishedChanges: false,
    runLimits: null,
    apiConfig: null,
    callers: 'keys' as const,
    apikeyid: null,
    chatbotConfig: null,
    followUpPrompts: null,
    speechToText: null,
    textToSpeech: null,
    saving: false,
    conflict: null,
  }
  return { canvas, state: proxy(state) }
}

export const hasChanges = ({ canvas, state }: Draft): boolean => isDirty(canvas.state) || state.name !== state.savedName

const LONGEST_TITLE = 60

/** Names a flow that nobody has named after the first line of a question. */
export function nameByQuestion({ canvas, state }: Draft, question: string | undefined): void {
  if (state.name !== canvas.kind.flow.newName) return
  const [line = ''] = (question ?? '').trim().split('\n')
  const title = truncate(line.trim(), LONGEST_TITLE)
  if (title) state.name = title
}

/** Saves the draft, optionally with a note. Returns 'conflict' when the server has a newer version. Throws ApiError. */
export async function saveDraft(draft: Draft, note?: string): Promise<SaveResult> {
  const { state } = draft
  state.saving = true
  try {
    await send(draft, state.version, note)
    return 'saved'
  } catch (error) {
    if (!isConflict(error)) throw error
    state.conflict = Number(error.body.currentVersion)
    return 'conflict'
  } finally {
    state.saving = false
  }
}

/** Saves the draft over a newer version. */
export async function overwriteRemote(draft: Draft): Promise<void> {
  await send(draft, draft.state.conflict ?? draft.state.version)
}

/** Replaces the draft with the stored flow. */
export async function loadRemote({ canvas, state }: Draft): Promise<void> {
  const stored = await api.get<Chatflow>(`/chatflows/${state.id}`)
  replaceFlow(canvas, openDocument(stored))
  followStored({ state }, stored)
}

/** Saves the draft as a new flow. Returns its id. */
export async function saveCopy({ canvas, state }: Draft): Promise<string> {
  const name = `${state.name} (copy)`
  const flow = { name, flowData: printFlow(canvas), type: canvas.kind.type }
  const { id } = await createFlow({ ...flow, ...(state.id !== null && { copyOf: state.id }) })
  // The changes are saved in the copy.
  markSaved(canvas, canvas.state.flow)
  state.savedName = state.name
  return id
}

async function send({ canvas, state }: Draft, version: number, versionNote?: string): Promise<void> {
  const { flow } = canvas.state
  const { name, id } = state
  const body = { name, flowData: printFlow(canvas), ...(versionNote ? { versionNote } : {}) }
  const saved = id
    ? await api.put<Chatflow>(`/chatflows/${id}`, { ...body, version })
    : await api.post<Chatflow>('/chatflows', { ...body, type: canvas.kind.type })
  const isAsSent = saved.flowData === body.flowData
  markSaved(canvas, flow, isAsSent ? undefined : settleUploads(flow, openDocument(saved)))
  Object.assign(state, serverFields(saved), { id: saved.id, savedName: name, conflict: null })
  void invalidate(FLOWS)
}

const printFlow = ({ state, view }: Canvas): string =>
  JSON.stringify({ ...serializeFlow(state.flow), ...(view ? { viewport: view } : {}) })

const identity = (stored: Chatflow) => ({
  id: stored.id,
  name: stored.name,
  savedName: stored.name,
  ...serverFields(stored),
})

/** The fields that the server decides. */
const serverFields = ({
  version,
  publishedVersion,
  hasUnpublishedChanges,
  runLimits,
  apiConfig,
  callers,
  apikeyid,
  chatbotConfig,
  followUpPrompts,
  speechToText,
  textToSpeech,
}: Chatflow) => ({
  version,
  publishedVersion,
  hasUnpublishedChanges,
  runLimits,
  apiConfig,
  callers,
  apikeyid,
  chatbotConfig,
  followUpPrompts,
  speechToText,
  textToSpeech,
})

/** Applies the result of publishing, except the version: a save by someone else must still be noticed. */
export function followPublishing({ state }: StoredDraft, { publishedVersion, hasUnpublishedChanges }: Chatflow): void {
  Object.assign(state, { publishedVersion, hasUnpublishedChanges })
  void invalidate(FLOWS)
}

/** Saves settings besides the flow document, unless someone else has saved the flow. */
export async function saveSettings(
  { state }: StoredDraft,
  settings: Partial<
    Pick<
      Chatflow,
      | 'runLimits'
      | 'apiConfig'
      | 'callers'
      | 'apikeyid'
      | 'chatbotConfig'
      | 'followUpPrompts'
      | 'speechToText'
      | 'textToSpeech'
    >
  >,
): Promise<void> {
  const { id, version } = state
  Object.assign(state, serverFields(await api.put<Chatflow>(`/chatflows/${id}`, { version, ...settings })))
  void invalidate(FLOWS)
}

function openDocument({ flowData }: Chatflow): FlowDocument {
  const opened = parseFlow(flowData)
  if (!opened.ok) throw new Error(`The stored flow can’t be read: ${opened.message}`)
  return opened.flow
}
