/** Templates that a workspace saved from its flows and tools. */
import { and, desc, eq, getTableColumns, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { parseFlowData } from '#contract/chatflows/chatflows.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { HeddleError } from '#contract/errors.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { exportFlow } from '#contract/flow/document/serialize.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import type { Sketch } from '#contract/home/home.ts'
import {
  type CreateTemplate,
  type CustomTemplate,
  frameworksOf,
  type GalleryItem,
  MAX_CUSTOM_TEMPLATES,
  MAX_LISTED_DOCUMENT_BYTES,
  type TemplateDetail,
  type TemplateType,
  templateTypeOf,
  type UpdateTemplate,
} from '#contract/marketplaces/marketplaces.ts'
import type { PageQuery } from '#contract/schemas/page.ts'
import type { Database } from '#db/client.ts'
import { byteLength, storedText } from '#db/long-text.ts'
import { customTemplates } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import type { Services } from '../../services.ts'
import { NO_SKETCH, selectSketch, summarizeFlow } from '../chatflows/index.ts'
import { categoriesOf } from './categories.ts'

type Store = Pick<Services, 'db' | 'clock'>
type Row = Omit<typeof customTemplates.$inferSelect, 'summary'>

/** What a template is made from: a flow, or nothing more than the body. */
interface SourceFlow {
  type: FlowType
  flowData: string
}

/** Templates in one answer with their documents. */
const MAX_WITH_DOCUMENTS = 100

const newestFirst = [desc(customTemplates.updatedDate), desc(customTemplates.id)]
const { summary, ...columns } = getTableColumns(customTemplates)
const sketch = selectSketch(summary)

/** Returns one page and the total for a page and limit; without them, the newest. */
export async function listCustom({ db }: Store, tenant: Tenant, { page, limit }: PageQuery) {
  if (!page || !limit) {
    return (await withDocuments(db, tenant, { limit: MAX_WITH_DOCUMENTS, offset: 0 })).map(customTemplate)
  }
  const few = Math.min(limit, MAX_WITH_DOCUMENTS)
  const [found, [total]] = await db.batch([
    withDocuments(db, tenant, { limit: few, offset: (page - 1) * few }),
    scope(db, tenant).count(customTemplates),
  ])
  return { data: found.map(customTemplate), total: total?.count ?? 0 }
}

interface TemplatePage {
  limit: number
  offset: number
  only?: SQL
}

/** Documents past the limit of one answer stay in the database. */
function withDocuments(db: Database, tenant: Tenant, { limit, offset, only }: TemplatePage) {
  const { id, updatedDate, flowData, ...head } = columns
  const isOwn = scope(db, tenant).inWorkspace(customTemplates, only)
  const listed = db.select({ id }).from(customTemplates).where(isOwn)
  const page = listed
    .orderBy(...newestFirst)
    .limit(limit)
    .offset(offset)
  const bytes = sql`sum(${byteLength(flowData)}) over (order by ${sql.join(newestFirst, sql`, `)})`
  return db
    .select({
      ...{ ...head, id, updatedDate, sketch },
      flowData: sql<string | null>`iif(${bytes} <= ${MAX_LISTED_DOCUMENT_BYTES}, ${flowData}, null)`,
    })
    .from(customTemplates)
    .where(scope(db, tenant).foundInWorkspace(customTemplates, inArray(id, page)))
    .orderBy(...newestFirst)
}

/** The documents stay in the database, except of templates without a summary, which an earlier version saved. */
export async function customGallery({ db }: Store, tenant: Tenant): Promise<GalleryItem[]> {
  const { flowData: _, ...head } = columns
  const rows = await db
    .select({ ...head, sketch })
    .from(customTemplates)
    .where(scope(db, tenant).inWorkspace(customTemplates))
    .orderBy(...newestFirst)
    .limit(MAX_CUSTOM_TEMPLATES)
  if (rows.every(isSummarized)) return rows.map(galleryItem)
  const only = and(isNull(summary), ne(columns.type, 'Tool'))
  const unsummarized = await withDocuments(db, tenant, { limit: MAX_WITH_DOCUMENTS, offset: 0, only })
  const sketches = new Map(unsummarized.map(({ id, flowData }) => [id, sketchOf(flowData)]))
  return rows.map((row) => galleryItem({ ...row, sketch: row.sketch ?? sketches.get(row.id) ?? null }))
}

const isSummarized = ({ sketch, type }: Head) => sketch !== null || type === 'Tool'

function sketchOf(flowData: string | null): Sketch | null {
  const parsed = flowData === null ? undefined : parseFlow(flowData)
  return parsed?.ok ? summarizeFlow(parsed.flow).sketch : null
}

export async function findCustom({ db }: Store, tenant: Tenant, id: string): Promise<TemplateDetail | undefined> {
  const [row] = await templateQuery(db, tenant, id)
  return row && { ...galleryItem(row), ...parseParts(row), question: null }
}

/** @param flow the flow that the body names */
export async function createCustom(
  store: Store,
  tenant: Tenant,
  { body, flow }: { body: CreateTemplate; flow?: SourceFlow },
): Promise<CustomTemplate> {
  const now = store.clock.now().toISOString()
  const { name, type, chatflowId: _, tool, ...more } = body
  const id = crypto.randomUUID()
  const document = flow && strippedFlow(flow, type)
  const flowData = storedText(JSON.stringify(document ?? tool))
  const summary = document && JSON.stringify(summarizeFlow(document))
  const values = {
    id,
    name,
    flowData,
    type,
    ...(summary && { summary }),
    ...columnsOf(more),
    createdDate: now,
    updatedDate: now,
  }
  const rows = scope(store.db, tenant)
  const [, [created]] = await store.db.batch([
    rows.insertFound(customTemplates, {
      values: Object.fromEntries(Object.entries(values).map(([column, value]) => [column, sql`${value}`])),
      from: sql`where ${rows.count(customTemplates)} < ${MAX_CUSTOM_TEMPLATES}`,
    }),
    templateQuery(store.db, tenant, id),
  ])
  if (created) return customTemplate(created)
  throw new HeddleError(
    'conflict',
    `A workspace can have ${MAX_CUSTOM_TEMPLATES.toLocaleString('en')} templates. Delete one first.`,
  )
}

export async function updateCustom(
  store: Store,
  tenant: Tenant,
  { id, name, ...more }: UpdateTemplate & { id: string },
): Promise<CustomTemplate> {
  const changes = { ...(name && { name }), ...columnsOf(more), updatedDate: store.clock.now().toISOString() }
  await scope(store.db, tenant).update(customTemplates, eq(customTemplates.id, id), changes)
  return readCustom(store, tenant, id)
}

/** Leaves out what is absent; an empty value removes the stored one. */
function columnsOf({ description, badge, usecases }: Omit<UpdateTemplate, 'name'>) {
  return {
    ...(description !== undefined && { description: description || null }),
    ...(badge !== undefined && { badge: badge || null }),
    ...(usecases !== undefined && { usecases: usecases?.length ? JSON.stringify(usecases) : null }),
  }
}

async function readCustom({ db }: Pick<Store, 'db'>, tenant: Tenant, id: string): Promise<CustomTemplate> {
  const [row] = await templateQuery(db, tenant, id)
  if (!row) throw notFound(id)
  return customTemplate(row)
}

const templateQuery = (db: Database, tenant: Tenant, id: string) =>
  db
    .select({ ...columns, sketch })
    .from(customTemplates)
    .where(scope(db, tenant).inWorkspace(customTemplates, eq(customTemplates.id, id)))

const notFound = (id: string) => new HeddleError('not_found', `Template ${id} not found`)

export async function deleteCustom({ db }: Store, tenant: Tenant, id: string) {
  const deleted = await scope(db, tenant)
    .delete(customTemplates, eq(customTemplates.id, id))
    .returning({ id: customTemplates.id })
  if (deleted.length === 0) throw notFound(id)
  return { raw: [], affected: deleted.length }
}

/** Returns the document as an export has it: without credentials and secrets. */
function strippedFlow(flow: SourceFlow, type: TemplateType): FlowDocument {
  const actual = templateTypeOf(flow.type)
  if (!actual)
    throw new HeddleError('bad_request', 'chatflowId: This kind of flow cannot become a template', {
      field: 'chatflowId',
    })
  if (actual !== type) throw new HeddleError('bad_request', `type: This flow is of type ${actual}`, { field: 'type' })
  return exportFlow(parseFlowData(flow.flowData), componentDefinitions())
}

type Head = Omit<Row, 'flowData'> & { sketch: Sketch | null }
/** Without its document in a list that is too long. */
type StoredTemplate = Head & { flowData: string | null }

function described(row: Head) {
  const { type } = row
  const sketch = row.sketch ?? NO_SKETCH
  return {
    sketch,
    templateName: row.name,
    description: row.description,
    badge: row.badge ?? '',
    framework: frameworksOf(type),
    usecases: parseTexts(row.usecases),
    categories: categoriesOf(sketch),
    type,
  }
}

function galleryItem(row: Head): GalleryItem {
  return { id: row.id, ...described(row), isCustom: true, isStarter: false, updatedDate: row.updatedDate }
}

function customTemplate(row: StoredTemplate): CustomTemplate {
  const { id, name, workspaceId, createdDate, updatedDate } = row
  const { sketch: _, ...more } = described(row)
  const { flowData, ...tool } = parseParts(row)
  return { id, name, ...more, ...(flowData !== null && { flowData }), ...tool, workspaceId, createdDate, updatedDate }
}

/** A tool is stored where flows have their document. */
function parseParts({ type, flowData }: Pick<StoredTemplate, 'type' | 'flowData'>) {
  if (type !== 'Tool') return { flowData }
  const tool = flowData === null ? undefined : tryParseJson(flowData)
  const { iconSrc, schema, func } = (isRecord(tool) ? tool : {}) as Record<string, string | null | undefined>
  return { flowData: null, iconSrc, schema, func }
}

function parseTexts(json: string | null): string[] {
  const list = json === null ? [] : tryParseJson(json)
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
}
