/** A flow in a list, and what is kept of its document for lists, so that they read no documents. */
import * as z from 'zod'
import type { Sketch } from '../home/home.ts'
import { pageOf } from '../schemas/responses.ts'
import { chatflowSchema, listFlowsSchema } from './chatflows.ts'

/** Kept with each flow: less than 64 KiB, whatever its document holds. */
export interface FlowSummary {
  /** Number of nodes, not counting sticky notes. */
  nodes: number
  /** Colors of up to six components. */
  colors: string[]
  sketch: Sketch
}

const flowListItemSchema = chatflowSchema
  .pick({ id: true, name: true, type: true, category: true, createdDate: true, updatedDate: true })
  .extend({
    nodes: z
      .int()
      .nullable()
      .describe('Number of nodes, not counting sticky notes; null for a few minutes after an upgrade'),
    colors: z.array(z.string()).describe('Colors of up to six components'),
  })
  .meta({ id: 'FlowListItem' })

export const listFlowItemsSchema = listFlowsSchema.extend({
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(1000).default(50),
})

export const flowListSchema = pageOf(flowListItemSchema)

export type FlowListItem = z.infer<typeof flowListItemSchema>
export type FlowList = z.infer<typeof flowListSchema>
