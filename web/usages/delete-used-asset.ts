/** Deletes an asset after a confirmation that says who uses it. */
import type { UsagesQuery } from '#contract/usages/usages.ts'
import { queryClient } from '../api/query.ts'
import { deleteAsset } from '../state/delete-asset.ts'
import { describeUsers } from './describe-users.ts'
import { usagesQuery } from './queries.ts'

type Deletion = Omit<Parameters<typeof deleteAsset>[0], 'description'> & {
  of: UsagesQuery
  /** What mends its users: `you choose another credential`. */
  until: string
  /** Follows the sentence about its users. */
  note?: string
}

export async function deleteUsedAsset({ of, until, note, ...deletion }: Deletion): Promise<void> {
  const users = await queryClient.fetchQuery(usagesQuery(of)).catch(() => undefined)
  const effect = users ? describeUsers(users, until) : `What uses it will fail until ${until}.`
  await deleteAsset({ ...deletion, description: note ? `${effect} ${note}` : effect })
}
