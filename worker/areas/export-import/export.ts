/**
 * Exports a workspace as a bundle: flows without secrets, variables without values. It is read and sent page by page, so
 * that a workspace of any size leaves through little memory. Rows that come while it is read are not in it.
 */
import { HeddleError } from '#contract/errors.ts'
import {
  BUNDLE_KEYS,
  type BundleKey,
  EXPORT_FILE_NAME,
  EXPORT_KIND_NAMES,
  EXPORT_KINDS,
  type ExportRequest,
  MAX_TRANSFER_ROWS,
  NOT_EXPORTED,
} from '#contract/export-import/export-import.ts'
import type { Tenant } from '#db/scope.ts'
import { type Audited, workspaceTarget } from '../../http/audit.ts'
import { streamFile } from '../../http/stream-file.ts'
import type { Services } from '../../services.ts'
import { type ExportedList, exportedLists } from './exported-lists.ts'
import { type NotExportedList, notExportedList } from './not-exported.ts'
import { isOneOf, type PagedRow, pagesOf } from './pages.ts'

/** Answers every key; those that were not requested are empty. Throws `too_large` before the first row is sent. */
export async function exportBundle(
  { db, fileStorage, audit }: Pick<Services, 'db' | 'fileStorage'> & Audited,
  tenant: Tenant,
  asked: ExportRequest,
): Promise<Response> {
  const kinds = EXPORT_KIND_NAMES.filter((kind) => asked[kind])
  const keys = new Set<BundleKey>(kinds.flatMap((kind): readonly BundleKey[] => EXPORT_KINDS[kind]))
  const leftOut = notExportedList()
  const lists = exportedLists({ db, fileStorage, leftOut }, tenant).filter(({ key }) => keys.has(key))
  const found = await Promise.all(lists.map(({ rows }) => rows(MAX_TRANSFER_ROWS + 1)))
  const pages = new Map(lists.map((list, index) => [list.key, { list, pages: pagesIn(list, found[index] ?? []) }]))
  await audit({ event: 'workspace.export', target: workspaceTarget(tenant), change: { kinds } })
  return streamFile({ name: EXPORT_FILE_NAME, type: 'application/json', pieces: writeBundle(pages, leftOut) })
}

type Pages = ReadonlyMap<BundleKey, { list: ExportedList; pages: number[][] }>

/** The name of the file comes first, so that who receives it can leave it out before the rest has come. */
async function* writeBundle(pages: Pages, leftOut: NotExportedList): AsyncGenerator<string> {
  yield `{"FileDefaultName":${JSON.stringify(EXPORT_FILE_NAME)}`
  for (const key of BUNDLE_KEYS) {
    yield `,"${key}":[`
    const found = pages.get(key)
    let isFirst = true
    for (const page of found?.pages ?? []) {
      const items = (await found?.list.items(isOneOf(page))) ?? []
      if (items.length > 0) yield `${isFirst ? '' : ','}${items.map((item) => JSON.stringify(item)).join(',')}`
      isFirst &&= items.length === 0
    }
    yield ']'
  }
  const notes = leftOut.entries()
  if (notes.length > 0) yield `,"${NOT_EXPORTED}":${JSON.stringify(notes)}`
  yield '}'
}

/** Throws `too_large`, because a partial file would look complete. */
function pagesIn({ name }: ExportedList, rows: PagedRow[]): number[][] {
  if (rows.length <= MAX_TRANSFER_ROWS) return pagesOf(rows)
  throw new HeddleError(
    'too_large',
    `There are more than ${MAX_TRANSFER_ROWS.toLocaleString('en')} ${name}. Export the rest without them`,
  )
}
