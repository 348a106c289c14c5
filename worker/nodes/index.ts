/** The node types, one line each. */
import type { NodeType } from './types.ts'

export const nodes: NodeType[] = []
