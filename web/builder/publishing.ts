/** Publish, unpublish and restore, each after a confirmation. */
import { errorMessage } from '#contract/errors.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { FLOWS } from '../api/flows.ts'
import { invalidate } from '../api/query.ts'
import { confirm } from '../state/confirm.ts'
import { notify } from '../state/notify.ts'
import { type Draft, followPublishing, hasChanges, loadRemote, type StoredDraft } from './draft.ts'
import { publish, restore, unpublish } from './versions/queries.ts'

/** A flow or assistant that can be published and shared. */
export interface Publishable {
  draft: StoredDraft
  /** In sentences: `flow`. */
  noun: string
  /** The Start node, whose form a call fills in. */
  start: () => FlowNode | undefined
  /** Saves where something has changed. Returns true when the draft is stored. */
  store: () => Promise<boolean>
}

export interface Publishing extends Publishable {
  draft: Draft
}

/** @param save returns true when the draft is saved */
export const publishingOf = (draft: Draft, save: () => Promise<boolean>): Publishing => ({
  draft,
  noun: 'flow',
  start: () => draft.canvas.kind.flow.startNode(draft.canvas.state.flow),
  store: async () => (!hasChanges(draft) && draft.state.id !== null) || save(),
})

/** Saves and publishes the draft, or publishes another version. */
export async function askAndPublish({ draft, noun, store }: Publishable, version?: number): Promise<void> {
  const { state } = draft
  const what = version === undefined ? `this ${noun}` : `version ${version}`
  const sure = await confirm({
    title: `Publish ${what}?`,
    description:
      state.publishedVersion === null
        ? 'Callers will get this version until you publish again. Until now they got every save. The chat here always runs the draft.'
        : `Callers will get it instead of version ${state.publishedVersion}. Runs in progress finish on their version.`,
    confirmButtonName: 'Publish',
  })
  if (!sure) return
  if (version === undefined && !(await store())) return
  await attempt('publish', async () => {
    await publishDraft(draft, version)
    notify.success(`Published version ${draft.state.publishedVersion}`)
  })
}

/** Publishes the stored draft, or another version. Throws ApiError. */
export async function publishDraft(draft: StoredDraft, version?: number): Promise<void> {
  followPublishing(draft, await publish(draft.state.id as string, version))
}

export async function askAndUnpublish({ draft, noun }: Publishable): Promise<void> {
  const { state } = draft
  const sure = await confirm({
    title: `Unpublish this ${noun}?`,
    description: 'Callers will get every save again.',
    confirmButtonName: 'Unpublish',
    danger: true,
  })
  if (!sure) return
  await attempt('unpublish', async () => {
    followPublishing(draft, await unpublish(state.id as string))
    notify.success('Unpublished. Callers get every save.')
  })
}

/** Makes an old version the draft. Returns true when it was restored. */
export async function askAndRestore({ draft }: Publishing, version: number): Promise<boolean> {
  const sure = await confirm({
    title: `Restore version ${version}?`,
    description: hasChanges(draft)
      ? 'It becomes the new draft. Your unsaved changes are lost. Every saved version is kept.'
      : 'It becomes the new draft. Every saved version is kept.',
    confirmButtonName: 'Restore',
    danger: hasChanges(draft),
  })
  if (!sure) return false
  return attempt('restore', async () => {
    await restore(draft.state.id as string, version, draft.state.version)
    await loadRemote(draft)
    void invalidate(FLOWS)
    notify.success(`Restored version ${version}`)
  })
}

async function attempt(action: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    notify.error(`Couldn’t ${action} the flow: ${errorMessage(error)}`)
    return false
  }
}
