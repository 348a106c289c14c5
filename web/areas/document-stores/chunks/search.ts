/** The filters of the chunks page, as its address holds them. Pure. */

export interface ChunkSearch {
  /** From 1. */
  page?: number
  search?: string
  sourceId?: string
  /** Only chunks about which a person has to decide. */
  conflicts?: true
  /** Id of the chunk that is open. */
  chunk?: string
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function readChunkSearch({ page, search, sourceId, conflicts, chunk }: Record<string, unknown>): ChunkSearch {
  const number = Math.floor(Number(page))
  return withoutBlanks({
    page: number > 1 && number <= 1_000_000 ? number : undefined,
    // Numbers and booleans of an address arrive as such.
    search: text(typeof search === 'number' || typeof search === 'boolean' ? String(search) : search)?.slice(0, 200),
    sourceId: text(sourceId),
    conflicts: conflicts === true || conflicts === 'true' ? true : undefined,
    chunk: text(chunk),
  })
}

/** Returns the filters after a change. Every change but one of the page starts at the first page. */
export function changeChunkSearch(
  search: ChunkSearch,
  change: { [Key in keyof ChunkSearch]?: ChunkSearch[Key] | undefined },
): ChunkSearch {
  const { chunk: _, page, ...rest } = search
  return withoutBlanks({ ...rest, ...('chunk' in change && { page }), ...change })
}

/** True when the list leaves chunks out. */
export const isFiltered = ({ search, sourceId, conflicts }: ChunkSearch): boolean =>
  Boolean(search ?? sourceId ?? conflicts)

function withoutBlanks(search: { [Key in keyof ChunkSearch]?: ChunkSearch[Key] | undefined }): ChunkSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
