/** Actions on a store, for its list and its page. */
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { errorMessage } from '#contract/errors.ts'
import { notify } from '../../../state/notify.ts'
import { deleteUsedAsset } from '../../../usages/delete-used-asset.ts'
import { deleteStore } from '../api.ts'

/** Calls `onDeleted` when it was confirmed and done. */
export const confirmDeleteStore = ({ id, name }: Pick<DocumentStore, 'id' | 'name'>, onDeleted = () => {}) =>
  deleteUsedAsset({
    name,
    of: { kind: 'documentStore', asset: id },
    until: 'you choose another document store',
    note: 'Its loaders, files and chunks are deleted too. This can’t be undone.',
    remove: async () => {
      await deleteStore(id)
      onDeleted()
    },
  })

/** Does something and says in a toast when it fails: “Couldn’t refresh the store: …”. Resolves with true when it was done. */
export async function attempt(what: string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    notify.error(`Couldn’t ${what}: ${errorMessage(error)}`)
    return false
  }
}
