/** Components of all kinds of flows, for tests. */
import { nodeTypes } from '../kinds/agentflow/testing/flows.ts'
import { components as ofChatflows } from '../kinds/chatflow/testing/flows.ts'

export const components = [...nodeTypes, ...ofChatflows]
