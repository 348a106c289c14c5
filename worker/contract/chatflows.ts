/** Payloads of flows, in Flowise's public shape (configs are JSON text). What is not listed here cannot be set. */
import * as z from 'zod'
import type { FlowDocument } from './flow/document.ts'
import { openFlow } from './flow/open.ts'
import { type RunLimits, runLimitsSchema } from './limits.ts'

export const FLOW_TYPES = ['CHATFLOW', 'AGENTFLOW', 'MULTIAGENT', 'ASSISTANT'] as const
export const flowTypeSchema = z.enum(FLOW_TYPES)
export type FlowType = z.infer<typeof flowTypeSchema>

/** Bytes of a request body that carries a flow. */
export const MAX_FLOW_BYTES = 8 * 1024 * 1024

/** Reads stored flow data. Throws an Error that names the place when it is no flow. */
export function parseFlowData(flowData: string): FlowDocument {
  const opened = openFlow(flowData)
  if (!opened.ok) throw new Error(opened.message)
  return opened.flow
}

/** JSON text of `{nodes, edges}`. It is stored as sent; issues name the path inside the document. */
export const flowDataSchema = z.string().superRefine((text, context) => {
  const opened = openFlow(text)
  if (opened.ok) return
  const { path, message } = opened
  context.addIssue({
    code: 'custom',
    path: path === '' ? [] : path.split('.'),
    message: path === '' ? message : message.replace(`${path}: `, ''),
  })
})

const configSchema = z
  .string()
  .refine((text) => text === '' || isObject(parseJson(text)), 'This must be JSON text of an object')
  .nullish()

const settings = {
  deployed: z.boolean().nullish(),
  isPublic: z.boolean().nullish(),
  apikeyid: z.string().max(100).nullish(),
  chatbotConfig: configSchema,
  apiConfig: configSchema,
  analytic: configSchema,
  speechToText: configSchema,
  textToSpeech: configSchema,
  followUpPrompts: configSchema,
  category: z.string().max(500).nullish(),
  /** What one run may use; null takes the flow's own limits away. */
  runLimits: runLimitsSchema.nullish(),
}

/** What a person says about a version. */
const noteSchema = z.string().trim().max(500)

const nameSchema = z.string().trim().min(1, 'Name is required').max(200)

export const createFlowSchema = z.object({
  name: nameSchema,
  flowData: flowDataSchema,
  type: flowTypeSchema,
  versionNote: noteSchema.nullish(),
  ...settings,
})

/** A part of a flow. `version` is the one that the caller last saw: an older one is refused. */
export const updateFlowSchema = z.object({
  name: nameSchema.optional(),
  flowData: flowDataSchema.optional(),
  type: flowTypeSchema.optional(),
  version: z.number().int().positive().optional(),
  /** Kept with the version that this save makes; a save that leaves `flowData` as it is makes none. */
  versionNote: noteSchema.nullish(),
  ...settings,
})

export const listFlowsSchema = z.object({
  type: flowTypeSchema.optional(),
  search: z.string().max(200).optional(),
  page: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().positive().max(1000).optional(),
})

export const listVersionsSchema = z.object({
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(200).default(50),
})

/** An empty note takes it away. */
export const versionNoteSchema = z.object({ note: noteSchema.nullable() })

/** Without `version` the draft is published. */
export const publishFlowSchema = z.object({ version: z.number().int().positive().optional() })

/** `version` is the flow's, as the caller last saw it: an older one is refused. */
export const restoreVersionSchema = z.object({
  version: z.number().int().positive().optional(),
  note: noteSchema.optional(),
})

export type ListVersions = z.infer<typeof listVersionsSchema>
export type RestoreVersion = z.infer<typeof restoreVersionSchema>
export type CreateFlow = z.infer<typeof createFlowSchema>
export type UpdateFlow = z.infer<typeof updateFlowSchema>
export type ListFlows = z.infer<typeof listFlowsSchema>

/** A flow as the API answers it. */
export interface Chatflow {
  id: string
  name: string
  flowData: string
  type: FlowType
  deployed: boolean | null
  isPublic: boolean | null
  apikeyid: string | null
  chatbotConfig: string | null
  apiConfig: string | null
  analytic: string | null
  speechToText: string | null
  textToSpeech: string | null
  followUpPrompts: string | null
  category: string | null
  /** Rises with every save, of settings too: send it back with the next one. */
  version: number
  /** What callers run; null: never published, they run the draft. */
  publishedVersion: number | null
  publishedDate: string | null
  /** The draft is newer than what is published. False while nothing is published. */
  hasUnpublishedChanges: boolean
  runLimits: RunLimits | null
  createdDate: string
  updatedDate: string
  workspaceId: string
}

/** One kept version of a flow's nodes and edges, as lists answer it. */
export interface FlowVersionHead {
  /** The flow's `version` after the save that made it; saves of settings leave gaps. */
  version: number
  /** Who saved it; null: not known. */
  author: string | null
  note: string | null
  createdDate: string
  /** Callers run it. */
  isPublished: boolean
  /** The newest: what the canvas shows. */
  isDraft: boolean
}

export interface FlowVersion extends FlowVersionHead {
  flowData: string
}

/** `GET /chatflows/:id/versions`, newest first. */
export interface FlowVersionList {
  data: FlowVersionHead[]
  total: number
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `null` stands for no settings. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value)
}
