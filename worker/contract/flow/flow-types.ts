/** The types of flows, as stored with each flow. */
import * as z from 'zod'

export const FLOW_TYPES = ['CHATFLOW', 'AGENTFLOW', 'MULTIAGENT', 'ASSISTANT'] as const
export const flowTypeSchema = z.enum(FLOW_TYPES)
export type FlowType = z.infer<typeof flowTypeSchema>
