/** Payloads of flows, in Flowise's public shape (configs are JSON text). What is not listed here cannot be set. */
import * as z from 'zod'
import type { FlowDocument } from './flow/document.ts'
import { openFlow } from './flow/open.ts'

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
}

const nameSchema = z.string().trim().min(1, 'Name is required').max(200)

export const createFlowSchema = z.object({
  name: nameSchema,
  flowData: flowDataSchema,
  type: flowTypeSchema,
  ...settings,
})

/** A part of a flow. `version` is the one that the caller last saw: an older one is refused. */
export const updateFlowSchema = z.object({
  name: nameSchema.optional(),
  flowData: flowDataSchema.optional(),
  type: flowTypeSchema.optional(),
  version: z.number().int().positive().optional(),
  ...settings,
})

export const listFlowsSchema = z.object({
  type: flowTypeSchema.optional(),
  search: z.string().max(200).optional(),
  page: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().positive().max(1000).optional(),
})

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
  version: number
  createdDate: string
  updatedDate: string
  workspaceId: string
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
