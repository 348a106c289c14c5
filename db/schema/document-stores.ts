import { sql } from 'drizzle-orm'
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { JOB_KINDS, JOB_STATES, type JobRequest } from '#contract/document-stores/jobs.ts'
import { LOADER_STATES, SOURCE_STATES, STORE_STATES } from '#contract/document-stores/states.ts'
import { workspaces } from './account.ts'

/** A body of knowledge that flows search, in Flowise's public shape. */
export const documentStores = sqliteTable(
  'document_stores',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    description: text('description').notNull(),
    status: text('status', { enum: STORE_STATES }).notNull(),
    /** The error, for people; null when there is none. */
    statusReason: text('status_reason'),
    /** JSON texts `{name, config}`. Null: searched by keyword only. */
    embeddingConfig: text('embedding_config'),
    /** Null: the vectors are in the store's own search index. */
    vectorStoreConfig: text('vector_store_config'),
    recordManagerConfig: text('record_manager_config'),
    /** JSON text: how it is searched when nothing else is asked. */
    searchConfig: text('search_config'),
    /** JSON text: when it is refreshed without a person. */
    scheduleConfig: text('schedule_config'),
    /** The minute at which it is refreshed next, ISO; null: it is not. */
    nextRefresh: text('next_refresh'),
    lastSyncDate: text('last_sync_date'),
    totalChunks: integer('total_chunks').notNull().default(0),
    totalChars: integer('total_chars').notNull().default(0),
    /** Bytes of its originals. */
    totalBytes: integer('total_bytes').notNull().default(0),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [
    index('document_stores_workspace').on(t.workspaceId, t.updatedDate, t.id),
    index('document_stores_due').on(t.nextRefresh).where(sql`next_refresh IS NOT NULL`),
  ],
)

/** Sources of a store's documents, and how they are split into chunks. */
export const documentLoaders = sqliteTable(
  'document_loaders',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    storeId: text('store_id')
      .notNull()
      .references(() => documentStores.id, { onDelete: 'cascade' }),
    /** The component: `pdfFile`, `cheerioWebScraper`. */
    loaderId: text('loader_id').notNull(),
    loaderName: text('loader_name').notNull(),
    /** JSON text. Files are named `FILE-STORAGE::["a.pdf"]`, credentials by their id. */
    loaderConfig: text('loader_config').notNull(),
    splitterId: text('splitter_id').notNull().default(''),
    splitterName: text('splitter_name').notNull().default(''),
    splitterConfig: text('splitter_config').notNull().default('{}'),
    status: text('status', { enum: LOADER_STATES }).notNull(),
    statusReason: text('status_reason'),
    totalChunks: integer('total_chunks').notNull().default(0),
    totalChars: integer('total_chars').notNull().default(0),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [index('document_loaders_store').on(t.storeId, t.createdDate, t.id)],
)

/** One file, page or record that a loader reads. Its id is also the key of its original among the stored files. */
export const documentSources = sqliteTable(
  'document_sources',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    storeId: text('store_id')
      .notNull()
      .references(() => documentStores.id, { onDelete: 'cascade' }),
    /** Null: a file that was sent and belongs to no loader yet. */
    docId: text('doc_id').references(() => documentLoaders.id, { onDelete: 'cascade' }),
    /** Its id at its origin: an address, a path or a file name. */
    key: text('key').notNull(),
    name: text('name').notNull(),
    mime: text('mime'),
    size: integer('size').notNull().default(0),
    /** True: the original is among the stored files. */
    isStored: integer('is_stored', { mode: 'boolean' }).notNull().default(false),
    /** Hash of the content as last read. Unchanged content is not read again. */
    hash: text('hash'),
    /** As the origin says before anything is read: a blob's SHA, an ETag, a date of change. */
    version: text('version'),
    /** JSON text: what only its loader reads again. */
    data: text('data'),
    status: text('status', { enum: SOURCE_STATES }).notNull(),
    /** The error of the last attempt to read it. */
    error: text('error'),
    pages: integer('pages').notNull().default(0),
    chars: integer('chars').notNull().default(0),
    chunks: integer('chunks').notNull().default(0),
    /** The job that saw it last: what a refresh did not see is gone at its origin. */
    seenBy: text('seen_by'),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [
    uniqueIndex('document_sources_key').on(t.storeId, t.docId, t.key),
    index('document_sources_doc').on(t.docId, t.status, t.id),
    index('document_sources_sent').on(t.createdDate).where(sql`doc_id IS NULL`),
    index('document_sources_files').on(t.workspaceId, t.createdDate, t.id).where(sql`is_stored`),
  ],
)

/** A piece of a document, as it is found. */
export const documentChunks = sqliteTable(
  'document_chunks',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    storeId: text('store_id')
      .notNull()
      .references(() => documentStores.id, { onDelete: 'cascade' }),
    /** The row of its loader; named as in Flowise. */
    docId: text('doc_id').notNull(),
    sourceId: text('source_id')
      .notNull()
      .references(() => documentSources.id, { onDelete: 'cascade' }),
    /** From 1, in the order of its loader's sources. */
    chunkNo: integer('chunk_no').notNull(),
    pageContent: text('page_content').notNull(),
    /** JSON text. */
    metadata: text('metadata').notNull(),
    /** The headings above it, joined by ` > `; part of what is embedded. */
    headings: text('headings').notNull().default(''),
    /** SHA-256 of what is embedded: the headings and the text. */
    hash: text('hash').notNull(),
    /** Hash of the splitter's text, before a person edited it. */
    originHash: text('origin_hash').notNull(),
    tokens: integer('tokens').notNull().default(0),
    isEnabled: integer('is_enabled', { mode: 'boolean' }).notNull().default(true),
    /** When a person edited it; a refresh leaves it. */
    editedDate: text('edited_date'),
    /** The source's new text below an edit, for a person to accept; empty when the source no longer has it. */
    proposedContent: text('proposed_content'),
  },
  (t) => [
    index('document_chunks_doc').on(t.docId, t.chunkNo, t.id),
    index('document_chunks_store').on(t.storeId, t.hash),
    index('document_chunks_source').on(t.sourceId, t.chunkNo),
  ],
)

/** A run over a store: reading, embedding, refreshing. Also the store's history. */
export const documentJobs = sqliteTable(
  'document_jobs',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    storeId: text('store_id')
      .notNull()
      .references(() => documentStores.id, { onDelete: 'cascade' }),
    /** Null: all loaders of the store. */
    docId: text('doc_id'),
    kind: text('kind', { enum: JOB_KINDS }).notNull(),
    state: text('state', { enum: JOB_STATES }).notNull(),
    /** The reason of its state: a pause, a failure or a question. */
    stateReason: text('state_reason'),
    request: text('request', { mode: 'json' }).$type<JobRequest>().notNull(),
    filesTotal: integer('files_total').notNull().default(0),
    filesDone: integer('files_done').notNull().default(0),
    filesFailed: integer('files_failed').notNull().default(0),
    pages: integer('pages').notNull().default(0),
    chunksTotal: integer('chunks_total').notNull().default(0),
    chunksDone: integer('chunks_done').notNull().default(0),
    tokens: integer('tokens').notNull().default(0),
    /** US dollars; null: the price is unknown. */
    cost: real('cost'),
    numAdded: integer('num_added').notNull().default(0),
    numUpdated: integer('num_updated').notNull().default(0),
    numDeleted: integer('num_deleted').notNull().default(0),
    numSkipped: integer('num_skipped').notNull().default(0),
    /** Position at which the next part of the listing begins. */
    cursor: text('cursor'),
    /** Its instance's claim, renewed by each unit. */
    leaseUntil: text('lease_until'),
    /** Grows with each instance that takes the job; part of the instance's id. */
    attempt: integer('attempt').notNull().default(0),
    createdDate: text('created_date').notNull(),
    startedDate: text('started_date'),
    endedDate: text('ended_date'),
  },
  (t) => [
    index('document_jobs_store').on(t.storeId, t.createdDate, t.id),
    index('document_jobs_open').on(t.state, t.leaseUntil).where(sql`ended_date IS NULL`),
  ],
)

/**
 * The index of a store: tables of its own for words and vectors, named after the search index
 * (`db/search-index/search-index.ts`). A store has one that is searched, and another while its embedder changes.
 */
export const documentSearchIndexes = sqliteTable(
  'document_shelves',
  {
    /** 32 hex digits, made here: part of the tables' names. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    storeId: text('store_id').notNull(),
    state: text('state', { enum: ['building', 'current', 'dropped'] }).notNull(),
    /** The embedder of its vectors, with its settings; null: the index has words only. */
    embedder: text('embedder'),
    dimensions: integer('dimensions'),
    /** True when its vectors have sketches beside them. */
    hasSketches: integer('has_sketches', { mode: 'boolean' }).notNull().default(false),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    uniqueIndex('document_shelves_store').on(t.storeId, t.state).where(sql`state <> 'dropped'`),
    index('document_shelves_state').on(t.state),
  ],
)
