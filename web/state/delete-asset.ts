/** Deletes an asset after confirmation, reports the result in a toast and offers undo. */
import { errorMessage } from '#contract/errors.ts'
import { confirm } from './confirm.ts'
import { notify } from './notify.ts'

interface Deletion {
  name: string
  /** What is deleted or breaks with it. */
  description: string
  remove(): Promise<unknown>
  undo?: { label: string; run(): void }
}

export async function deleteAsset({ name, description, remove, undo }: Deletion): Promise<void> {
  const sure = await confirm({ title: `Delete “${name}”?`, description, confirmButtonName: 'Delete', danger: true })
  if (!sure) return
  try {
    await remove()
    notify.success(`Deleted “${name}”`, undo)
  } catch (error) {
    notify.error(`Couldn’t delete “${name}”: ${errorMessage(error)}`)
  }
}
