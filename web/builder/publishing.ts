/** Publishing, and going back, from the canvas: asks first, does it, says how it went. */
import { errorMessage } from '#contract/errors.ts'
import { FLOWS } from '#web/api/flows.ts'
import { invalidate } from '#web/api/query.ts'
import { confirm } from '#web/state/confirm.ts'
import { notify } from '#web/state/notify.ts'
import { type Draft, followPublishing, hasChanges, loadRemote } from './draft.ts'
import { publish, restore, unpublish } from './versions/queries.ts'

export interface Publishing {
  draft: Draft
  /** True when the server has what is on screen. */
  save: () => Promise<boolean>
}

/** Saves what is on screen and lets callers run it; or another version as it is. */
export async function askAndPublish({ draft, save }: Publishing, version?: number): Promise<void> {
  const { state } = draft
  const what = version === undefined ? 'this flow' : `version ${version}`
  const sure = await confirm({
    title: `Publish ${what}?`,
    description:
      state.publishedVersion === null
        ? 'Until now callers ran each save. From now on they run what is published, until you publish again. The chat on the canvas always runs the draft.'
        : `Callers run it from now on, instead of version ${state.publishedVersion}. Runs that have begun end on the version on which they began.`,
    confirmButtonName: 'Publish',
  })
  if (!sure) return
  if (version === undefined && (hasChanges(draft) || state.id === null) && !(await save())) return
  await attempt('was not published', async () => {
    followPublishing(draft, await publish(state.id as string, version))
    notify.success(`Published version ${state.publishedVersion}`)
  })
}

export async function askAndUnpublish({ draft }: Publishing): Promise<void> {
  const { state } = draft
  const sure = await confirm({
    title: 'Unpublish this flow?',
    description: 'Callers run the draft again, and with it each save, as soon as it is saved.',
    confirmButtonName: 'Unpublish',
    danger: true,
  })
  if (!sure) return
  await attempt('is still published', async () => {
    followPublishing(draft, await unpublish(state.id as string))
    notify.success('Unpublished: callers run each save')
  })
}

/** Makes an old version the draft. Answers whether it was done. */
export async function askAndRestore({ draft }: Publishing, version: number): Promise<boolean> {
  const sure = await confirm({
    title: `Restore version ${version}?`,
    description: hasChanges(draft)
      ? 'It is saved as the new draft. Your changes that are not saved are lost; every saved version stays.'
      : 'It is saved as the new draft. Every saved version stays, so that you can come back.',
    confirmButtonName: 'Restore',
    danger: hasChanges(draft),
  })
  if (!sure) return false
  return attempt('was not restored', async () => {
    await restore(draft.state.id as string, version, draft.state.version)
    await loadRemote(draft)
    void invalidate(FLOWS)
    notify.success(`Version ${version} is the draft again`)
  })
}

async function attempt(failed: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (thrown) {
    notify.error(`The flow ${failed}: ${errorMessage(thrown)}`)
    return false
  }
}
