/** How anything is deleted: asked once, said how it went, and undone where that is possible. */
import { errorMessage } from '#contract/errors.ts'
import { confirm } from './confirm.ts'
import { notify } from './notify.ts'

interface Deletion {
  name: string
  /** What is lost with it. */
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
    notify.error(`“${name}” was not deleted: ${errorMessage(error)}`)
  }
}
