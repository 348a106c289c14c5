/** Deletes an asset after confirmation, reports the result in a toast and offers undo. */
import { errorMessage } from '#contract/errors.ts'
import { confirm } from './confirm.ts'
import { notify } from './notify.ts'

interface Deletion {
  name: string
  /** What is deleted or breaks with it. */
  description: string
  remove(): Promise<unknown>
  /** Asked once it is deleted; undefined when it cannot be brought back. */
  undo?(): { label: string; run(): void } | undefined
}

export async function deleteAsset({ name, description, remove, undo }: Deletion): Promise<void> {
  const sure = await confirm({ title: `Delete “${name}”?`, description, confirmButtonName: 'Delete', danger: true })
  if (!sure) return
  try {
    await remove()
    notify.success(`Deleted “${name}”`, undo?.())
  } catch (error) {
    notify.error(`Couldn’t delete “${name}”: ${errorMessage(error)}`)
  }
}
