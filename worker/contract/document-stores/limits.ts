/** Limits of a store and its parts. */

export const MAX_FILE_BYTES = 50 * 1024 ** 2
export const MAX_PAGES = 2000
export const MAX_UNZIPPED_BYTES = 200 * 1024 ** 2
export const MAX_LOADERS = 100
/** Characters of JSON in each component that a store chooses, and in how it is searched. */
export const MAX_COMPONENT_CHARS = 400_000
/** Files, pages or records of one loader. */
export const MAX_SOURCES = 10_000
export const MAX_CHUNK_CHARS = 20_000
/** Chunks of a workspace. */
export const CHUNK_QUOTA = 1_000_000
/** Tokens that a workspace may have embedded in a calendar month. */
export const TOKEN_QUOTA = 100_000_000
/** Flowise's lists of chunks have pages of 50. */
export const CHUNKS_PER_PAGE = 50
