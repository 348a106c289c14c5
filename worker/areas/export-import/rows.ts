/** Schemas of the rows of a file, except flows. */

import * as z from 'zod'
import { ratingSchema } from '#contract/chats/feedback.ts'
import { tryParseJson } from '#contract/data/json.ts'
import { CHAT_TYPES } from '#contract/runs/conversation-kinds.ts'
import { runStateSchema } from '#contract/runs/events.ts'
import { createVariableSchema } from '#contract/variables/variables.ts'
import { date, id, json, text } from './columns.ts'

export const variableRow = createVariableSchema.extend({
  id: id.optional(),
  value: z
    .string()
    .max(100_000)
    .nullish()
    .transform((value) => value ?? ''),
})

export const messageRow = z.object({
  id: id.optional(),
  chatflowid: id,
  role: z.enum(['userMessage', 'apiMessage']),
  content: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
  executionId: text,
  chatType: z.enum(CHAT_TYPES).default('EXTERNAL'),
  chatId: id,
  sessionId: text,
  memoryType: text,
  sourceDocuments: json,
  usedTools: json,
  fileAnnotations: json,
  agentReasoning: json,
  reasonContent: json,
  fileUploads: json,
  artifacts: json,
  action: json,
  leadEmail: text,
  followUpPrompts: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
  createdDate: date,
})

export const feedbackRow = z.object({
  id: id.optional(),
  chatflowid: id,
  chatId: id,
  messageId: id,
  rating: ratingSchema.nullish().transform((value) => value ?? null),
  content: text,
  createdDate: date,
})

const traceItem = z.looseObject({
  nodeId: z.string(),
  nodeLabel: z.string().default(''),
  previousNodeIds: z.array(z.string()).default([]),
  status: z.enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED']).default('FINISHED'),
  data: z.looseObject({ id: z.string().default(''), name: z.string().default('') }),
  path: z.string().max(2000).optional(),
  startedAt: date.optional(),
  finishedAt: date.optional(),
})

export const executionRow = z.object({
  id: id.optional(),
  agentflowId: id,
  sessionId: id,
  chatId: id.optional(),
  state: runStateSchema,
  error: text,
  endedBy: z.enum(['tokens', 'cost', 'steps', 'time']).nullish(),
  workSeconds: z.number().nonnegative().default(0),
  totalTokens: z.number().nonnegative().optional(),
  totalCost: z.number().nonnegative().nullish(),
  replayOf: text,
  replayFrom: text,
  parentExecutionId: text,
  isPublic: z.boolean().nullish(),
  isStarred: z.boolean().nullish(),
  executionData: z.preprocess(
    (value) => (typeof value === 'string' ? tryParseJson(value) : value),
    z.array(traceItem).max(10_000),
  ),
  createdDate: date,
  updatedDate: date.optional(),
  stoppedDate: date.nullish(),
})

export type VariableRow = z.infer<typeof variableRow>
export type MessageRow = z.infer<typeof messageRow>
export type FeedbackRow = z.infer<typeof feedbackRow>
export type ExecutionRow = z.infer<typeof executionRow>
export type ImportedTraceItem = z.infer<typeof traceItem>

/** A run that had not ended cannot continue after an import. */
export const isUnended = ({ state }: Pick<ExecutionRow, 'state'>) => state === 'INPROGRESS' || state === 'STOPPED'
