import { additionalParam } from '#contract/flow/params/builders.ts'
import { number, text } from '../../inputs/component-config.ts'
import { bounded, callJson, type Network, type ServiceCall } from '../../providers/json-api.ts'
import { MAX_HITS, searchTool } from './search.ts'

interface WikipediaQuery {
  search?: { pageid: number }[]
  pages?: { title: string; extract?: string; fullurl?: string }[]
}

interface Answer {
  query?: WikipediaQuery
  error?: { info?: string }
}

const RESULTS = 3
const CHARS = 4000

export const wikipedia = searchTool({
  label: 'Wikipedia',
  name: 'wikipedia',
  type: 'Wikipedia',
  version: 1,
  description: 'Looks up articles on Wikipedia',
  inputs: [
    additionalParam('Language', 'language', {
      default: 'en',
      description: 'Language code of the Wikipedia, for example de',
    }),
    additionalParam('Top K results', 'topKResults', {
      type: 'number',
      default: RESULTS,
      step: 1,
      description: 'Maximum number of articles',
    }),
    additionalParam('Max content length', 'docContentCharsMax', {
      type: 'number',
      default: CHARS,
      step: 1,
      description: 'Maximum number of characters per article',
    }),
  ],
  tool: {
    name: 'wikipedia',
    description: 'Looks up people, places, companies, events and other subjects on Wikipedia. Returns article texts.',
  },
  argument: { name: 'input', description: 'The subject' },
  async search(query, context) {
    const { config } = context
    const language = (text(config, 'language') ?? 'en').toLowerCase()
    if (!/^[a-z-]{2,20}$/.test(language))
      throw new Error(`Wikipedia: "${language}" is not a language code. Use a code such as en.`)
    const ask = (query: ServiceCall['query']) => askWikipedia(language, query, context)
    const limit = Math.min(number(config, 'topKResults') ?? RESULTS, MAX_HITS)
    const { search = [] } = await ask({ list: 'search', srsearch: query.slice(0, 300), srlimit: limit, srprop: '' })
    // Requests articles one by one, because the API returns only the first full text of a list.
    const articles = await Promise.all(
      search.map(({ pageid }) => ask({ prop: 'extracts|info', inprop: 'url', explaintext: 1, pageids: pageid })),
    )
    const chars = number(config, 'docContentCharsMax') ?? CHARS
    const texts = articles.flatMap(({ pages = [] }) =>
      pages.map(({ title, fullurl = '', extract = '' }) => `# ${title}\n${fullurl}\n\n${bounded(extract, chars)}`),
    )
    return texts.join('\n\n') || 'No results found.'
  },
})

async function askWikipedia(language: string, query: ServiceCall['query'], network: Network): Promise<WikipediaQuery> {
  const { query: found = {}, error } = await callJson<Answer>(
    {
      service: 'Wikipedia',
      url: `https://${language}.wikipedia.org/w/api.php`,
      query: { action: 'query', format: 'json', formatversion: 2, ...query },
    },
    network,
  )
  if (error) throw new Error(`Wikipedia: ${error.info ?? 'the search failed'}`)
  return found
}
