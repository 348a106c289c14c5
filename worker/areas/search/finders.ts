/** Looks for a text in the names of a workspace's newest rows, all kinds in one round trip. */
import { desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { CANVAS_TYPES } from '#contract/flow/kinds/facts.ts'
import { SEARCH_RESULTS, SEARCH_WINDOW, type SearchKind, type SearchResult } from '#contract/search/search.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import {
  apikeys,
  chatflows,
  credentials,
  customTemplates,
  documentStores,
  executions,
  tools,
  triggers,
  variables,
} from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { questionExcerpt } from '../executions/index.ts'
import { builtInGallery } from '../marketplaces/index.ts'

interface SearchRequest {
  text: string
  /** The types of flows that the searcher may view. */
  types: FlowType[]
  /** The kinds that the searcher may view. */
  kinds: SearchKind[]
}

/** The newest of each kind first. Of runs, the beginning of the question is searched. */
export async function find(db: Database, tenant: Tenant, request: SearchRequest): Promise<SearchResult[]> {
  const lists = request.kinds.flatMap((kind) => listsOf(kind, request))
  const [first, ...others] = lists.map(({ finder }) => finder(db, tenant, request))
  if (!first) return []
  const found = (await db.batch([first, ...others])) as Omit<SearchResult, 'kind' | 'type'>[][]
  return lists.flatMap(({ kind, type }, index) => (found[index] ?? []).map((row) => ({ kind, type, ...row })))
}

type Finder = ReturnType<typeof flowsOf> | (typeof finders)[keyof typeof finders]

interface List extends Pick<SearchResult, 'kind' | 'type'> {
  finder: Finder
}

/** Flows are found type by type, as an index gives them. */
function listsOf(kind: SearchKind, { types }: SearchRequest): List[] {
  if (kind !== 'flow') return [{ kind, type: null, finder: finders[kind] }]
  return CANVAS_TYPES.filter((type) => types.includes(type)).map((type) => ({ kind, type, finder: flowsOf(type) }))
}

/** Built-in templates by name. */
export async function findBuiltIn(text: string): Promise<SearchResult[]> {
  const wanted = text.toLowerCase()
  return (await builtInGallery())
    .filter(({ templateName }) => templateName.toLowerCase().includes(wanted))
    .slice(0, SEARCH_RESULTS)
    .map(({ id, templateName: title }) => ({ kind: 'template', type: null, id, title, detail: null, date: null }))
}

const finders = {
  template: findTemplates,
  execution: findExecutions,
  trigger: findTriggers,
  credential: findCredentials,
  variable: findVariables,
  apikey: findApiKeys,
  tool: findTools,
  documentStore: findDocumentStores,
}

const noDetail = sql<string | null>`null`

function flowsOf(type: FlowType) {
  return (db: Database, tenant: Tenant, { text }: SearchRequest) => {
    const { id, name, updatedDate } = chatflows
    const order = [desc(updatedDate), desc(id)]
    return findByName(db, tenant, { table: chatflows, name, order, text, condition: eq(chatflows.type, type) })
  }
}

function findTemplates(db: Database, tenant: Tenant, { text }: SearchRequest) {
  const { id, name, updatedDate } = customTemplates
  return findByName(db, tenant, { table: customTemplates, name, order: [desc(updatedDate), desc(id)], text })
}

function findExecutions(db: Database, tenant: Tenant, { text }: SearchRequest) {
  const { id, agentflowId, createdDate: date } = executions
  const newest = db
    .select({ id, agentflowId, date, question: questionExcerpt.as('question') })
    .from(executions)
    .where(scope(db, tenant).inWorkspace(executions))
    .orderBy(desc(date), desc(id))
    .limit(SEARCH_WINDOW)
    .as('found')
  return db
    .select({ id: newest.id, title: newest.question, detail: chatflows.name, date: newest.date })
    .from(newest)
    .innerJoin(chatflows, eq(chatflows.id, newest.agentflowId))
    .where(contains(newest.question, text))
    .limit(SEARCH_RESULTS)
}

/** By its own name or its flow's. */
function findTriggers(db: Database, tenant: Tenant, { text, types }: SearchRequest) {
  const { id, flowId, name, updatedDate: date } = triggers
  const newest = db
    .select({ id, flowId, name, date })
    .from(triggers)
    .where(scope(db, tenant).inWorkspace(triggers))
    .orderBy(desc(date), desc(id))
    .limit(SEARCH_WINDOW)
    .as('found')
  const isVisible: SQL = types.length > 0 ? inArray(chatflows.type, types) : sql`false`
  return db
    .select({ id: newest.id, title: newest.name, detail: chatflows.name, date: newest.date })
    .from(newest)
    .innerJoin(chatflows, eq(chatflows.id, newest.flowId))
    .where(sql`${isVisible} and ${or(contains(newest.name, text), contains(chatflows.name, text))}`)
    .limit(SEARCH_RESULTS)
}

function findCredentials(db: Database, tenant: Tenant, { text }: SearchRequest) {
  const { name, updatedDate } = credentials
  return findByName(db, tenant, { table: credentials, name, order: [desc(updatedDate), desc(credentials.id)], text })
}

/** By name: values may be long. */
function findVariables(db: Database, tenant: Tenant, { text }: SearchRequest) {
  const { name } = variables
  return findByName(db, tenant, { table: variables, name, order: [name], text })
}

function findApiKeys(db: Database, tenant: Tenant, { text }: SearchRequest) {
  const { keyName, updatedDate } = apikeys
  return findByName(db, tenant, { table: apikeys, name: keyName, order: [desc(updatedDate)], text })
}

function findTools(db: Database, tenant: Tenant, { text }: SearchRequest) {
  const { name, updatedDate } = tools
  return findByName(db, tenant, { table: tools, name, order: [desc(updatedDate), desc(tools.id)], text })
}

function findDocumentStores(db: Database, tenant: Tenant, { text }: SearchRequest) {
  const { id, name, updatedDate } = documentStores
  return findByName(db, tenant, { table: documentStores, name, order: [desc(updatedDate), desc(id)], text })
}

interface NameSearch {
  table:
    | typeof chatflows
    | typeof credentials
    | typeof variables
    | typeof apikeys
    | typeof tools
    | typeof documentStores
    | typeof customTemplates
  name: SQLiteColumn
  /** Which rows the window holds; what an index gives. */
  order: (SQL | SQLiteColumn)[]
  text: string
  condition?: SQL
}

function findByName(db: Database, tenant: Tenant, { table, name, order, text, condition }: NameSearch) {
  const first = db
    .select({ id: table.id, name: sql<string>`${name}`.as('name'), date: table.updatedDate })
    .from(table)
    .where(scope(db, tenant).inWorkspace(table, condition))
    .orderBy(...order)
    .limit(SEARCH_WINDOW)
    .as('found')
  return db
    .select({ id: first.id, title: first.name, detail: noDetail, date: first.date })
    .from(first)
    .where(contains(first.name, text))
    .limit(SEARCH_RESULTS)
}
