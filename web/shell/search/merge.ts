/** The order of search results. */
import { SEARCH_LIMIT, searchMenu } from '../menu.ts'

interface Titled {
  key: string
  title: string
}

interface Page extends Titled {
  description: string
}

/**
 * Returns at most eight results: pages with the query in their title, actions, then what was found in the workspace,
 * one of each kind in turn, and pages with the query in their description. Every page of the menu that matches is among
 * them, as far as the limit allows.
 */
export function mergeResults<P extends Page, A extends Titled, F extends Titled & { kind: string }>(
  query: string,
  { pages, actions, found }: { pages: P[]; actions: A[]; found: F[] },
): (P | A | F)[] {
  const wanted = query.trim().toLowerCase()
  const isNamed = ({ title }: Titled) => title.toLowerCase().includes(wanted)
  const matching = searchMenu(
    pages.map((page) => ({ page, menuTitle: page.title, description: page.description })),
    query,
  ).map(({ page }) => page)
  const others = [...actions.filter(isNamed), ...inTurn(found)].slice(0, SEARCH_LIMIT - matching.length)
  return [...matching.filter(isNamed), ...others, ...matching.filter((page) => !isNamed(page))]
}

/** The first of each kind, then the second of each, and so on. */
function inTurn<F extends { kind: string }>(found: F[]): F[] {
  const kinds = [...Map.groupBy(found, ({ kind }) => kind).values()]
  const most = Math.max(0, ...kinds.map(({ length }) => length))
  return Array.from({ length: most }, (_, round) => kinds.flatMap((rows) => rows.slice(round, round + 1))).flat()
}
