/** The palette of chat flows has Flowise's categories. */
export const HEADINGS: readonly string[] = [
  'Agents',
  'Chains',
  'Chat Models',
  'LLMs',
  'Prompts',
  'Memory',
  'Tools',
  'Tools (MCP)',
  'Document Loaders',
  'Text Splitters',
  'Embeddings',
  'Vector Stores',
  'Retrievers',
  'Record Manager',
  'Output Parsers',
  'Moderation',
  'Cache',
  'Engine',
  'Response Synthesizer',
  'Utilities',
]

export const palette = {
  headings: HEADINGS,
  headingOf: ({ category }: { category: string }): string | undefined =>
    HEADINGS.includes(category) ? category : undefined,
}
