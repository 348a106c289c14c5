/** Finds the items of a piece that others have made impossible since they were planned. */
import { inArray, sql } from 'drizzle-orm'
import type { BundleKey } from '#contract/export-import/export-import.ts'
import type { Database } from '#db/client.ts'
import {
  assistants,
  chatflows,
  customTemplates,
  documentLoaders,
  documentStores,
  tools,
  variables,
} from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type Tenant } from '#db/scope.ts'
import { keyOfAssistant, retiredElsewhere } from '../import.ts'
import type { ItemPiece } from './cut-items.ts'

/** An item that is left out, for the report. */
export interface LeftOutItem {
  key: BundleKey
  name: string
  why: string
}

const TABLES = { variables, tools, templates: customTemplates, stores: documentStores, flows: chatflows, assistants }
type ItemList = keyof typeof TABLES
const LISTS = Object.keys(TABLES) as ItemList[]

interface Item {
  list: ItemList
  id: string
  name: string
  key: BundleKey | undefined
  isReplacing: boolean
  /** Items that are written together have the same. */
  unit: string
}

export const ID_TAKEN = 'Its id was taken while the file was imported'
const NAME_TAKEN = 'Its name was taken while the file was imported'
const DELETED = 'What it replaces was deleted while the file was imported'

/** Returns what of a piece still fits, and the items that do not. Sources without their loader are no items. */
export async function fitItems(
  db: Database,
  tenant: Tenant,
  piece: ItemPiece,
): Promise<{ fitting: ItemPiece; leftOut: LeftOutItem[] }> {
  const present = await readPresent(db, tenant, piece)
  const items = itemsOf(piece)
  const whys = new Map(
    items.flatMap((item) => {
      const why = whyNot(item, piece, present)
      return why ? [[item.unit, why] as const] : []
    }),
  )
  const misfits = items.filter(({ unit }) => whys.has(unit))
  const isFitting = (list: ItemList) => {
    const ids = new Set(misfits.flatMap((item) => (item.list === list ? [item.id] : [])))
    return ({ id }: { id: string }) => !ids.has(id)
  }
  const stores = piece.stores.filter(({ store }) => isFitting('stores')(store))
  const added = new Set<unknown>(stores.flatMap(({ loaders }) => loaders.map(({ id }) => id)))
  return {
    fitting: {
      variables: piece.variables.filter(isFitting('variables')),
      tools: piece.tools.filter(isFitting('tools')),
      templates: piece.templates.filter(isFitting('templates')),
      stores,
      sources: piece.sources.filter(({ docId }) => added.has(docId) || present.hasLoader(docId)),
      flows: piece.flows.filter(isFitting('flows')),
      assistants: piece.assistants.filter(isFitting('assistants')),
      sourceFiles: piece.sourceFiles,
    },
    leftOut: misfits.flatMap(({ key, name, unit }) => (key ? [{ key, name, why: whys.get(unit) as string }] : [])),
  }
}

function itemsOf(piece: ItemPiece): Item[] {
  const of = (list: ItemList, key: BundleKey | undefined, row: { id: string; name: string; isReplacing: boolean }) => ({
    ...{ list, key, id: row.id, name: row.name, isReplacing: row.isReplacing, unit: `${list} ${row.id}` },
  })
  return [
    ...piece.variables.map((row) => of('variables', 'Variable', row)),
    ...piece.tools.map((row) => of('tools', 'Tool', row)),
    ...piece.templates.map((row) => of('templates', 'CustomTemplate', row)),
    ...piece.stores.map(({ store }) => of('stores', 'DocumentStore', store)),
    ...piece.flows.map((row) => of('flows', row.key, row)),
    ...piece.assistants.map(({ id, type, details, isReplacing }) => ({
      ...of('assistants', keyOfAssistant(type), { id, name: JSON.parse(details).name ?? id, isReplacing }),
      // The flow that it runs as has its id.
      ...(type === 'CUSTOM' && { unit: `flows ${id}` }),
    })),
  ]
}

type Present = Awaited<ReturnType<typeof readPresent>>

function whyNot(item: Item, { stores }: ItemPiece, present: Present): string | undefined {
  const { list, id, name, isReplacing } = item
  if (isReplacing && !present.isOwn(list, id)) return DELETED
  if (!isReplacing && present.isTaken(list, id)) return ID_TAKEN
  if (list === 'variables' && present.idOfVariable(name, id) !== id) return NAME_TAKEN
  const loaders = list === 'stores' ? (stores.find(({ store }) => store.id === id)?.loaders ?? []) : []
  return loaders.every(present.isFreeLoader) ? undefined : ID_TAKEN
}

/** Reads which ids and names of a piece are in use, in any workspace. */
async function readPresent(db: Database, tenant: Tenant, piece: ItemPiece) {
  const listed = (values: unknown[]) => sql`(select value from json_each(${JSON.stringify(values)}))`
  const loaderIds = [
    ...piece.stores.flatMap((each) => each.loaders.map((loader) => loader.id)),
    ...piece.sources.map(({ docId }) => docId),
  ]
  const wanted = listed(itemsOf(piece).map((item) => item.id))
  const names = listed(piece.variables.map(({ name }) => name))
  const all = acrossWorkspaces(db, 'an id is free only when no workspace uses it')
  const rows = scope(db, tenant)
  const isNamed = rows.inWorkspace(variables, inArray(variables.name, names))
  const { id, storeId, workspaceId } = documentLoaders
  const [named, retired, loaders, ...found] = await db.batch([
    db.select({ id: variables.id, name: variables.name }).from(variables).where(isNamed),
    retiredElsewhere(all, tenant, wanted),
    all
      .select({ id, storeId, workspaceId })
      .from(documentLoaders)
      .where(inArray(id, listed(loaderIds))),
    ...LISTS.map((list) => {
      const table = TABLES[list]
      return all.select({ id: table.id, workspaceId: table.workspaceId }).from(table).where(inArray(table.id, wanted))
    }),
  ])
  const workspaces = new Map(
    LISTS.flatMap((list, at) => (found[at] ?? []).map((row) => [`${list} ${row.id}`, row.workspaceId as string])),
  )
  const gone = new Set(retired.map((row) => row.id))
  const variableIds = new Map(named.map((row) => [row.name, row.id]))
  const loaderOf = new Map(loaders.map((loader) => [loader.id, loader]))
  return {
    isOwn: (list: ItemList, itemId: string) => workspaces.get(`${list} ${itemId}`) === tenant.workspaceId,
    isTaken: (list: ItemList, itemId: string) => workspaces.has(`${list} ${itemId}`) || gone.has(itemId),
    idOfVariable: (name: string, otherwise: string) => variableIds.get(name) ?? otherwise,
    /** A store that is replaced gives up its own. */
    isFreeLoader: (loader: { id: string; storeId: string }) =>
      (loaderOf.get(loader.id) ?? loader).storeId === loader.storeId,
    hasLoader: (docId: string | null | undefined) => loaderOf.get(docId ?? '')?.workspaceId === tenant.workspaceId,
  }
}
