import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Callers } from '#contract/access/callers.ts'
import type { FlowSummary } from '#contract/chatflows/flow-summary.ts'
import { FLOW_TYPES } from '#contract/flow/flow-types.ts'
import type { RunLimits } from '#contract/runs/limits.ts'
import { isReference, longText } from '../long-text.ts'
import { workspaces } from './account.ts'

export interface FlowMcpServer {
  enabled: boolean
  /** SHA-256 of the token that clients send. */
  tokenHash: string
  toolName: string
  description: string
}

/** A flow of any kind, in Flowise's public shape; the configs are JSON strings as Flowise sends them. */
export const chatflows = sqliteTable(
  'chatflows',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    flowData: longText('flow_data').notNull(),
    type: text('type', { enum: FLOW_TYPES }).notNull(),
    deployed: integer('deployed', { mode: 'boolean' }),
    isPublic: integer('is_public', { mode: 'boolean' }),
    apikeyid: text('apikeyid'),
    /** The callers that the flow accepts; rows older than the column have `everyone`. */
    callers: text('callers')
      .$type<Callers>()
      .notNull()
      .$defaultFn(() => 'keys'),
    chatbotConfig: text('chatbot_config'),
    apiConfig: text('api_config'),
    analytic: text('analytic'),
    speechToText: text('speech_to_text'),
    textToSpeech: text('text_to_speech'),
    followUpPrompts: text('follow_up_prompts'),
    category: text('category'),
    /**
     * Random, made with the row. An id may be used again by its workspace after its row was deleted, so whatever is remembered of a flow
     * is kept under its id and this. Null: the row is older than the column.
     */
    incarnation: text('incarnation').$defaultFn(() => crypto.randomUUID()),
    /** Rises with every save: optimistic locking. `flowData` is this version, the draft. */
    version: integer('version').notNull().default(1),
    /** The version that callers run; null: never published, they run the draft. */
    publishedVersion: integer('published_version'),
    publishedDate: text('published_date'),
    /** Limits of one run; null: the flow sets none. */
    runLimits: text('run_limits', { mode: 'json' }).$type<RunLimits>(),
    /** The flow's settings as an MCP tool; null: it was never offered. */
    mcpServer: text('mcp_server', { mode: 'json' }).$type<FlowMcpServer>(),
    /** `{secret}` under the workspace's key: it signs the sessions of callers without a key. */
    conversationSecret: text('conversation_secret'),
    /** What lists show of the document; null until the minute job comes to a flow that is older than the column. */
    summary: text('summary', { mode: 'json' }).$type<FlowSummary>(),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  // The name, so that a search by it reads no flow that it does not find.
  (t) => [
    index('chatflows_workspace').on(t.workspaceId, t.type, t.updatedDate, t.id, t.name),
    index('chatflows_flow_data_long').on(t.flowData).where(isReference(t.flowData)),
  ],
)

/** Every save that changed a flow's nodes or edges: what the flow's version n held is the newest row up to n. */
export const flowVersions = sqliteTable(
  'flow_versions',
  {
    /** `<flow id>@<version>`. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    flowId: text('flow_id')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    flowData: longText('flow_data').notNull(),
    /** The name of the person who saved it, which outlives the account. Null: saved before versions were kept. */
    author: text('author'),
    note: text('note'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    uniqueIndex('flow_versions_flow').on(t.flowId, t.version),
    index('flow_versions_flow_data_long').on(t.flowData).where(isReference(t.flowData)),
  ],
)

/** The source files of a version, as `worker/contract/flow/sources.ts` says. Rows of the same bytes share an object. */
export const flowSources = sqliteTable(
  'flow_sources',
  {
    /** `<version id>/<name>`. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    flowId: text('flow_id')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    versionId: text('version_id')
      .notNull()
      .references(() => flowVersions.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    size: integer('size').notNull(),
    /** SHA-256 of the bytes, in hexadecimal. */
    digest: text('digest').notNull(),
    /**
     * The object that holds the bytes, under `fileKey`. A trigger of the database lists it in `file_deletions` with its
     * last row.
     */
    objectId: text('object_id').notNull(),
  },
  (t) => [
    index('flow_sources_flow').on(t.flowId),
    index('flow_sources_version').on(t.versionId, t.name),
    index('flow_sources_digest').on(t.workspaceId, t.digest),
    index('flow_sources_object').on(t.workspaceId, t.objectId, t.size),
  ],
)
