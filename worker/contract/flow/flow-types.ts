/** The types of flows, as stored with each flow. Pages load them before any schema. */
export const FLOW_TYPES = ['CHATFLOW', 'AGENTFLOW', 'MULTIAGENT', 'ASSISTANT'] as const
export type FlowType = (typeof FLOW_TYPES)[number]
