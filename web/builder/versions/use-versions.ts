import { useInfiniteQuery } from '@tanstack/react-query'
import { versionPages } from './queries.ts'

export type Versions = ReturnType<typeof useVersions>

/** The versions that were loaded so far, newest first, and the query that loads more. */
export function useVersions(flowId: string) {
  const query = useInfiniteQuery(versionPages(flowId))
  return { query, heads: query.data?.pages.flatMap((page) => page.data) }
}
