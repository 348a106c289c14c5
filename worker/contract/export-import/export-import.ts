/**
 * Payloads of exports and imports of a workspace, in Flowise's file format (compat 2). The report names rows that this
 * product does not support; they are never refused.
 */
import * as z from 'zod'
import { callersSchema } from '../access/callers.ts'
import { MAX_FLOW_BYTES } from '../chatflows/chatflows.ts'
import { flowTypeSchema } from '../flow/flow-type-schema.ts'
import type { KindFacts } from '../flow/kinds/kind-facts.ts'
import { sourceFilesSchema } from '../flow/sources.ts'
import { flowReportSchema } from '../schemas/flow-report.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'

/** Bytes of a request body that carries a bundle. */
export const MAX_BUNDLE_BYTES = 32 * 1024 * 1024
/** A file of short rows has about one value for each ten bytes. */
export const MAX_BUNDLE_VALUES = 3_000_000
/** Rows of one kind in a bundle that is a request's body. */
export const MAX_BUNDLE_ROWS = 10_000
/** Rows of one kind in a file. */
export const MAX_TRANSFER_ROWS = 100_000
const MAX_BUNDLE_FLOWS = 500
const MAX_BUNDLE_STORES = 500
const MAX_CHOICES = 50_000
export const EXPORT_FILE_NAME = 'ExportData.json'

/** The kinds of an export, and the keys of the file that each fills. */
export const EXPORT_KINDS = {
  agentflow: ['AgentFlow'],
  agentflowv2: ['AgentFlowV2'],
  assistantCustom: ['AssistantCustom', 'AssistantFlow'],
  assistantOpenAI: ['AssistantOpenAI'],
  assistantAzure: ['AssistantAzure'],
  chatflow: ['ChatFlow'],
  chat_message: ['ChatMessage'],
  chat_feedback: ['ChatMessageFeedback'],
  custom_template: ['CustomTemplate'],
  document_store: ['DocumentStore', 'DocumentStoreFileChunk'],
  execution: ['Execution'],
  tool: ['Tool'],
  variable: ['Variable'],
} as const

export type ExportKind = keyof typeof EXPORT_KINDS
export type BundleKey = (typeof EXPORT_KINDS)[ExportKind][number]

export const EXPORT_KIND_NAMES = Object.keys(EXPORT_KINDS) as ExportKind[]
export const BUNDLE_KEYS = EXPORT_KIND_NAMES.flatMap((kind): readonly BundleKey[] => EXPORT_KINDS[kind])

/** The keys with flows; which kinds each holds is a fact of the kinds. */
export const FLOW_KEYS = ['AgentFlow', 'AgentFlowV2', 'AssistantFlow', 'ChatFlow'] as const satisfies readonly FlowKey[]

export type FlowKey = BundleKey & KindFacts['bundleKey']

/** The keys whose rows an importer decides on one by one; messages, ratings and runs follow their flows, chunks their stores. */
const ITEM_KEYS = [
  ...FLOW_KEYS,
  'AssistantCustom',
  'AssistantOpenAI',
  'AssistantAzure',
  'CustomTemplate',
  'DocumentStore',
  'Tool',
  'Variable',
] as const satisfies readonly BundleKey[]

export type ItemKey = (typeof ITEM_KEYS)[number]

/** What happens to an item: `new` adds it (under a new id when its own is taken), `replace` updates the one that is there. */
const choiceSchema = z.enum(['new', 'replace', 'skip'])
export type Choice = z.infer<typeof choiceSchema>

const ticked = z.boolean().default(false)

export const exportSchema = z.object(
  Object.fromEntries(EXPORT_KIND_NAMES.map((kind) => [kind, ticked])) as Record<ExportKind, typeof ticked>,
)

/** The last key of a file from which something is missing. */
export const NOT_EXPORTED = 'notExported'
/** The most notes of a file on what was not exported. One more counts the rest. */
export const MAX_NOT_EXPORTED = 100

const notExportedSchema = z.object({ note: z.string().max(1000) })
export type NotExported = z.infer<typeof notExportedSchema>

const notExported = z.array(notExportedSchema).max(MAX_NOT_EXPORTED + 1)

const idSchema = z.string().min(1).max(100)

/** A flow of a file. `flowData` is JSON text, which the import validates. */
const flowItem = withMaxKeys(
  z.looseObject({
    id: idSchema,
    name: z.string().trim().min(1).max(200),
    type: z.unknown().optional(),
    /** Absent from Flowise's files. */
    callers: callersSchema.optional(),
    sources: sourceFilesSchema.default([]),
    flowData: z.string().max(MAX_FLOW_BYTES, `A flow may have at most ${MAX_FLOW_BYTES / 1024 / 1024} MB`),
  }),
)
/** Rows of other kinds are validated one by one; the report names those that cannot be imported. */
const row = withMaxKeys(z.looseObject({}))

const rows = z.array(row).max(MAX_BUNDLE_ROWS).default([])
const flows = z.array(flowItem).max(MAX_BUNDLE_FLOWS).default([])

/** The report names other keys. */
export const bundleSchema = withMaxKeys(
  z.looseObject({
    AgentFlow: flows,
    AgentFlowV2: flows,
    AssistantCustom: rows,
    AssistantFlow: flows,
    AssistantOpenAI: rows,
    AssistantAzure: rows,
    ChatFlow: flows,
    ChatMessage: rows,
    ChatMessageFeedback: rows,
    CustomTemplate: rows,
    DocumentStore: z.array(row).max(MAX_BUNDLE_STORES).default([]),
    DocumentStoreFileChunk: rows,
    Execution: rows,
    Tool: rows,
    Variable: rows,
    [NOT_EXPORTED]: notExported.default([]).describe('What the export left out, for the report'),
    /** By `<key>/<id>`. By default, identical items are skipped and all others are new. */
    choices: withMaxKeys(z.record(z.string().max(200), choiceSchema), MAX_CHOICES).default({}),
  }),
)

export const importQuerySchema = z.object({ dryRun: z.enum(['true', 'false']).optional() })

export type ExportRequest = z.infer<typeof exportSchema>
export type Bundle = z.infer<typeof bundleSchema>
export type FlowItem = z.infer<typeof flowItem>
export type BundleRow = z.infer<typeof row>

/** The answer of an export. `FileDefaultName` is the file's name and not part of the file. */
export const exportAnswerSchema = z.object({
  FileDefaultName: z.string(),
  ...(Object.fromEntries(BUNDLE_KEYS.map((key) => [key, z.array(row)])) as Record<BundleKey, z.ZodArray<typeof row>>),
  [NOT_EXPORTED]: notExported.optional().describe('Last in the file. Absent when everything was exported'),
})

const importedFlowSchema = flowReportSchema.extend({
  key: z.enum(FLOW_KEYS),
  type: flowTypeSchema,
  id: z.string().describe('The id in the file'),
  newId: z.string().describe('The id after the import; the same as `id` unless it was taken'),
  name: z.string(),
})

const importedItemSchema = z
  .object({
    key: z.enum(ITEM_KEYS),
    type: flowTypeSchema.optional().describe('Of a flow'),
    id: z.string().describe('The id in the file'),
    name: z.string(),
    found: z
      .enum(['none', 'same', 'different'])
      .describe('Whether the workspace has it, and whether that one differs from the file'),
    choice: choiceSchema,
    choices: z.array(choiceSchema).describe('The possible choices'),
    needs: z.string().optional().describe('What has to be set after the import, because files contain no secrets'),
  })
  .meta({ id: 'ImportedItem' })

const bundleKeySchema = z.enum(BUNDLE_KEYS as [BundleKey, ...BundleKey[]])

/** Rows of one kind that were not imported. */
const leftOutSchema = z.object({
  key: bundleKeySchema,
  names: z.array(z.string()).describe('Names of the rows, limited when there are many'),
  count: z.int(),
  why: z.string(),
})

const importReportSchema = z
  .object({
    imported: z.partialRecord(bundleKeySchema, z.int()),
    flows: z.array(importedFlowSchema),
    items: z.array(importedItemSchema),
    leftOut: z.array(leftOutSchema),
    notes: z.array(z.string()).describe('Notes on the whole file'),
  })
  .meta({ id: 'ImportReport' })

/** Bytes of a file that is sent in parts. */
const MAX_FILE_BYTES = 100 * 1024 * 1024
/** Bytes of each part but the last. */
export const FILE_PART_BYTES = 8 * 1024 * 1024

export const startImportSchema = z.object({
  name: z.string().min(1).max(200),
  size: z
    .int()
    .min(1)
    .max(MAX_FILE_BYTES, `A file may have at most ${MAX_FILE_BYTES / 1024 / 1024} MB`),
})

export const runImportSchema = z.object({
  choices: withMaxKeys(z.record(z.string().max(200), choiceSchema), MAX_CHOICES).default({}),
})

/** The import of a file that is too large for one request. */
export const largeImportSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z
      .enum(['uploading', 'checking', 'checked', 'importing', 'writing', 'done', 'failed'])
      .describe('After `checked`, it waits until it is run. From `writing` on, it can no longer be canceled'),
    parts: z.int().describe('The parts of 8 MiB in which the file is sent'),
    reason: z.string().nullable().describe('Why it failed, or which rows it left out while it was written'),
    rowsDone: z.int(),
    rowsTotal: z.int().nullable().describe('Null until the file was read once'),
    report: importReportSchema.nullable(),
  })
  .meta({ id: 'LargeImport' })

export const openImportSchema = z.object({ import: largeImportSchema.nullable() })
export type LargeImport = z.infer<typeof largeImportSchema>

export const importAnswerSchema = z.object({ message: z.literal('success'), report: importReportSchema })

export type ImportedFlow = z.infer<typeof importedFlowSchema>
export type ImportedItem = z.infer<typeof importedItemSchema>
export type LeftOut = z.infer<typeof leftOutSchema>
export type ImportReport = z.infer<typeof importReportSchema>
export type ImportAnswer = z.infer<typeof importAnswerSchema>
