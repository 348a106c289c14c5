/** Payloads of flows, in Flowise's public shape (configs are JSON text). Other fields cannot be set. */
import * as z from 'zod'
import { callersSchema } from '../access/callers.ts'
import { isRecord, tryParseJson } from '../data/json.ts'
import type { FlowDocument } from '../flow/document/document.ts'
import { parseFlow } from '../flow/document/parse.ts'
import { flowTypeSchema } from '../flow/flow-type-schema.ts'
import { MAX_SOURCE_CHARS, sourceFilesSchema, sourceHeadSchema } from '../flow/sources.ts'
import { runLimitsSchema } from '../runs/limits.ts'
import { dateSchema, pageOf } from '../schemas/responses.ts'
import { publicChatbotSettingsSchema } from './chatbot-config.ts'
import { limitProblem } from './flow-settings.ts'

/** Bytes of the nodes and edges of a flow. */
export const MAX_FLOW_BYTES = 8 * 1024 * 1024
/** Bytes of a request body that saves a flow with its source files. */
export const MAX_SAVE_BYTES = MAX_FLOW_BYTES + MAX_SOURCE_CHARS

/** Parses stored flow data. Throws an Error that names the path when it is not a valid flow. */
export function parseFlowData(flowData: string): FlowDocument {
  const opened = parseFlow(flowData)
  if (!opened.ok) throw new Error(opened.message)
  return opened.flow
}

/** Stored flow data with its parsed document, so that it is parsed once. */
export interface FlowData {
  readonly text: string
  readonly document: FlowDocument
}

/** Throws an Error that names the path when it is not a valid flow. */
export const flowDataOf = (text: string): FlowData => ({ text, document: parseFlowData(text) })

/** JSON text of `{nodes, edges}`, stored as sent. Issues name the path inside the document. */
export const flowDataSchema = z
  .string()
  .max(MAX_FLOW_BYTES)
  .transform((text, context): FlowData => {
    const opened = parseFlow(text)
    if (opened.ok) return { text, document: opened.flow }
    const { path, message } = opened
    context.addIssue({
      code: 'custom',
      path: path === '' ? [] : path.split('.'),
      message: path === '' ? message : message.replace(`${path}: `, ''),
    })
    return z.NEVER
  })

/** Bytes of one of a flow's configs, which a row holds all together. */
const MAX_CONFIG_BYTES = 500_000

const configSchema = z
  .string()
  .max(MAX_CONFIG_BYTES)
  .refine((text) => new TextEncoder().encode(text).length <= MAX_CONFIG_BYTES, 'This may have at most 500 KB')
  .refine(
    (text) => ['', 'null'].includes(text.trim()) || isRecord(tryParseJson(text)),
    'This must be the JSON text of an object',
  )
  .nullish()

/** Enabled limits must have valid numbers. */
const apiConfigSchema = configSchema.superRefine((text, context) => {
  const problem = limitProblem(text ?? '')
  if (problem) context.addIssue({ code: 'custom', ...problem })
})

const settings = {
  deployed: z.boolean().nullish(),
  isPublic: z.boolean().nullish(),
  apikeyid: z.string().max(100).nullish(),
  callers: callersSchema.optional(),
  chatbotConfig: configSchema,
  apiConfig: apiConfigSchema,
  analytic: configSchema,
  speechToText: configSchema,
  textToSpeech: configSchema,
  followUpPrompts: configSchema,
  category: z.string().max(500).nullish(),
  /** Limits of one run; null removes the flow's own limits. */
  runLimits: runLimitsSchema.nullish(),
}

/** The note on a version. */
const noteSchema = z.string().trim().max(500)

const nameSchema = z.string().trim().min(1, 'Name is required').max(200)

export const createFlowSchema = z.object({
  name: nameSchema,
  flowData: flowDataSchema,
  type: flowTypeSchema,
  versionNote: noteSchema.nullish(),
  copyOf: z
    .string()
    .max(100)
    .optional()
    .describe(
      'The id of the flow that this one is a copy of. It gets copies of the files that its nodes name, and of the source files unless `sources` are sent',
    ),
  sources: sourceFilesSchema.optional().describe('The files that the design came from'),
  ...settings,
})

/** A partial update. `version` is the one that the caller last read; an older one is refused. */
export const updateFlowSchema = z
  .object({
    name: nameSchema.optional(),
    flowData: flowDataSchema.optional(),
    type: flowTypeSchema.optional(),
    version: z.number().int().positive().optional(),
    /** Note on the version that this save creates. A save with unchanged `flowData` and `sources` creates none. */
    versionNote: noteSchema.nullish(),
    sources: sourceFilesSchema
      .optional()
      .describe('The files that the design came from, in place of all earlier ones. Without it, they stay'),
    ...settings,
  })
  .refine(({ flowData, sources }) => sources === undefined || flowData !== undefined, {
    path: ['sources'],
    message: 'Send flowData with the source files',
  })

export const listFlowsSchema = z.object({
  type: flowTypeSchema.optional(),
  /** Only types that can run, or only types that cannot. */
  runnable: z.enum(['true', 'false']).optional(),
  search: z.string().max(200).optional(),
  page: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().positive().max(1000).optional(),
})

export const listVersionsSchema = z.object({
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(200).default(50),
})

/** An empty note removes it. */
export const versionNoteSchema = z.object({ note: noteSchema.nullable() })

/** Publishes the draft when `version` is absent. */
export const publishFlowSchema = z.object({ version: z.number().int().positive().optional() })

/** `version` is the flow's version that the caller last read; an older one is refused. */
export const restoreVersionSchema = z.object({
  version: z.number().int().positive().optional(),
  note: noteSchema.optional(),
})

export type ListVersions = z.infer<typeof listVersionsSchema>
export type RestoreVersion = z.infer<typeof restoreVersionSchema>
export type CreateFlow = z.infer<typeof createFlowSchema>
export type UpdateFlow = z.infer<typeof updateFlowSchema>
export type ListFlows = z.infer<typeof listFlowsSchema>

export const chatflowSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    flowData: z.string().describe('JSON text of the nodes and edges'),
    type: flowTypeSchema,
    deployed: z.boolean().nullable(),
    isPublic: z.boolean().nullable(),
    apikeyid: z.string().nullable().describe('The only API key that may call the flow'),
    callers: callersSchema.describe('Who may call the flow besides members of its workspace'),
    chatbotConfig: z.string().nullable(),
    apiConfig: z.string().nullable(),
    analytic: z.string().nullable(),
    speechToText: z.string().nullable(),
    textToSpeech: z.string().nullable(),
    followUpPrompts: z.string().nullable(),
    category: z.string().nullable(),
    version: z.int().describe('Increases with every save. Send it with the next save'),
    publishedVersion: z
      .int()
      .nullable()
      .describe('The version that callers run; null when never published, so that they run the draft'),
    publishedDate: dateSchema.nullable(),
    hasUnpublishedChanges: z.boolean().describe('True when the draft is newer than the published version'),
    runLimits: runLimitsSchema.nullable(),
    createdDate: dateSchema,
    updatedDate: dateSchema,
    workspaceId: z.string(),
  })
  .meta({ id: 'Flow' })

const versionHead = {
  version: z.int().describe('The flow’s `version` after the save; saves of settings leave gaps'),
  author: z.string().nullable().describe('Who saved it; null when unknown'),
  note: z.string().nullable(),
  createdDate: dateSchema,
  isPublished: z.boolean().describe('True for the version that callers run'),
  isDraft: z.boolean().describe('True for the newest version, which the canvas shows'),
}

/** A version of a flow without its nodes and edges. */
export const flowVersionHeadSchema = z.object(versionHead).meta({ id: 'FlowVersionHead' })

export const flowVersionSchema = z
  .object({ ...versionHead, flowData: z.string(), sources: z.array(sourceHeadSchema) })
  .meta({ id: 'FlowVersion' })

/** Newest first. */
export const flowVersionListSchema = pageOf(flowVersionHeadSchema)

export const hasChangedSchema = z.object({ hasChanged: z.boolean() })
export const isStreamingSchema = z.object({ isStreaming: z.boolean() })

/** The public fields of a shared flow. */
export const sharedFlowSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: flowTypeSchema,
  isPublic: z.boolean(),
  flowData: z.string().describe('JSON text without secrets'),
  chatbotConfig: z.string(),
  category: z.string().nullable(),
  createdDate: dateSchema,
  updatedDate: dateSchema,
})

const uploadKindSchema = z.object({ fileTypes: z.array(z.string()), maxUploadSize: z.number() })

/** The uploads that a flow accepts with a question. */
export const uploadsAllowedSchema = z.object({
  isSpeechToTextEnabled: z.boolean(),
  isImageUploadAllowed: z.boolean(),
  isRAGFileUploadAllowed: z.boolean(),
  imgUploadSizeAndTypes: z.array(uploadKindSchema),
  fileUploadSizeAndTypes: z.array(uploadKindSchema),
})

/** Public settings of a flow's chat: appearance, uploads, start form and speech. */
export const publicChatbotConfigSchema = publicChatbotSettingsSchema.extend({
  uploads: uploadsAllowedSchema,
  flowData: z.string().describe('JSON text of the Start node'),
  isTTSEnabled: z.boolean(),
})

/** The problems of a flow, one entry per node with problems. */
export const checklistSchema = z.array(
  z.object({
    id: z.string().describe('Node id; empty for problems of the whole flow'),
    label: z.string(),
    name: z.string().describe('The component’s name'),
    issues: z.array(z.string()),
  }),
)

/** An input that `overrideConfig` can set. */
export const overridableInputSchema = z.object({
  node: z.string().describe('Label of the node'),
  nodeId: z.string(),
  label: z.string(),
  name: z.string(),
  type: z.string(),
  schema: z.record(z.string(), z.string()).optional().describe('For lists: the inputs of each item with their types'),
})

export type PublicChatbotConfig = z.infer<typeof publicChatbotConfigSchema>
export type Chatflow = z.infer<typeof chatflowSchema>
export type FlowVersionHead = z.infer<typeof flowVersionHeadSchema>
export type FlowVersion = z.infer<typeof flowVersionSchema>
export type FlowVersionList = z.infer<typeof flowVersionListSchema>
export type Checklist = z.infer<typeof checklistSchema>
export type OverridableInput = z.infer<typeof overridableInputSchema>
