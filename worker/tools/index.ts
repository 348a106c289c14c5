/** The built-in tools, one line each. */
import type { ToolType } from './types.ts'

export const tools: ToolType[] = []
