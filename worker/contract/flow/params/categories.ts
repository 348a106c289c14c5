/** Categories of the components that nodes choose. */

export const MODEL_CATEGORY = 'Chat Models'
export const TOOL_CATEGORIES: readonly string[] = ['Tools', 'Tools (MCP)']
export const EMBEDDINGS_CATEGORY = 'Embeddings'
export const VECTOR_STORE_CATEGORY = 'Vector Stores'
export const RERANKER_CATEGORY = 'Rerankers'
