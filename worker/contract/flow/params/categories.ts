/** Categories of the components that nodes choose. */

export const MODEL_CATEGORY = 'Chat Models'
export const TOOL_CATEGORIES: readonly string[] = ['Tools', 'Tools (MCP)']
