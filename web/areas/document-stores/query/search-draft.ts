/** Settings of a search as text fields, and back. Pure. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { SearchConfig, SearchMode } from '#contract/document-stores/search.ts'
import { type FormErrors, fieldErrors } from '../../../ui/forms/form-errors.ts'
import type { ComponentChoice } from '../shared/component-choice.ts'

/** Numbers are texts, which are empty for the default. */
export interface SearchDraft {
  topK: string
  threshold: string
  mmrLambda: string
  /** `0` to `5`, or `section`. */
  neighbours: string
  /** JSON text. */
  filter: string
  reranker: ComponentChoice | null
}

export const DEFAULT_TOP_K = 4
export const MODE_LABELS: Record<SearchMode, string> = { keyword: 'Keyword', vector: 'Vector', hybrid: 'Hybrid' }
export const MODE_HELP: Record<SearchMode, string> = {
  keyword: 'Keyword matches.',
  vector: 'Matches by meaning.',
  hybrid: 'Combines both rankings.',
}

/** Returns the modes that a store can be searched in. */
export const modesOf = (hasEmbeddings: boolean): SearchMode[] =>
  hasEmbeddings ? ['keyword', 'vector', 'hybrid'] : ['keyword']

/** Returns the mode that a search uses when it names none. */
export function defaultMode(config: SearchConfig | null, hasEmbeddings: boolean): SearchMode {
  if (!hasEmbeddings) return 'keyword'
  return config?.mode ?? 'hybrid'
}

const textOf = (number: number | undefined) => (number === undefined ? '' : String(number))

export function toDraft(config: SearchConfig | null): SearchDraft {
  const { topK, threshold, mmrLambda, neighbours = 0, filter, reranker = null } = config ?? {}
  return {
    topK: textOf(topK),
    threshold: textOf(threshold),
    mmrLambda: textOf(mmrLambda),
    neighbours: String(neighbours),
    filter: filter ? JSON.stringify(filter, null, 2) : '',
    reranker,
  }
}

/** Returns the settings of a draft without errors; defaults are left out. */
export function toConfig({ topK, threshold, mmrLambda, neighbours, filter, reranker }: SearchDraft): SearchConfig {
  const parsed = tryParseJson(filter)
  return {
    ...(topK.trim() !== '' && { topK: Number(topK) }),
    ...(threshold.trim() !== '' && { threshold: Number(threshold) }),
    ...(mmrLambda.trim() !== '' && { mmrLambda: Number(mmrLambda) }),
    ...(neighbours !== '0' && { neighbours: neighbours === 'section' ? ('section' as const) : Number(neighbours) }),
    ...(isRecord(parsed) && Object.keys(parsed).length > 0 && { filter: parsed }),
    ...(reranker && { reranker }),
  }
}

export function checkSearch({ topK, threshold, mmrLambda, filter }: SearchDraft): FormErrors {
  return fieldErrors({
    topK:
      !(isWithin(topK, 1, 100) && Number.isInteger(Number(topK))) && 'Enter a whole number of results from 1 to 100.',
    threshold: !isWithin(threshold, 0, 1) && 'Enter a threshold from 0 to 1.',
    mmrLambda: !isWithin(mmrLambda, 0, 1) && 'Enter a diversity from 0 to 1.',
    filter: filter.trim() !== '' && !isRecord(tryParseJson(filter)) && 'Enter a JSON object, such as {"lang": "en"}.',
  })
}

/** An empty text stands for the default. */
function isWithin(text: string, min: number, max: number): boolean {
  return text.trim() === '' || (Number(text) >= min && Number(text) <= max)
}

const TWO_DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

/**
 * Fused ranks lie below 0.04 and cosines below 1, while scores of BM25 grow with the query, and are millionths where a word
 * stands in half of all chunks or more.
 */
export const formatScore = (score: number): string => {
  const size = Math.abs(score)
  if (size < 0.001) return TWO_DIGITS.format(score)
  return score.toFixed(size < 0.1 ? 4 : size < 1 ? 3 : 2)
}
