import { additionalParam, keyCredential } from '#contract/flow/params/builders.ts'
import { isOn, list, number, text } from '../../inputs/component-config.ts'
import { callJson } from '../../providers/json-api.ts'
import { type Hit, hitsText, MAX_HITS, searchTool, secret } from './search.ts'

interface Answer {
  results?: { title?: string | null; url?: string; publishedDate?: string; author?: string; text?: string }[]
}

const KEY = { label: 'ExaSearch API key', name: 'exaSearchApiKey' }
const DESCRIPTION = 'Searches the web by meaning. Describe the page in a sentence. Returns a list of pages.'
const MAX_TEXT = 1000

const CATEGORIES = [
  'company',
  'research paper',
  'news',
  'github',
  'tweet',
  'movie',
  'song',
  'pdf',
  'personal site',
  'linkedin profile',
  'financial report',
]

const choices = (names: string[]) => names.map((name) => ({ label: name, name }))
const date = (label: string, name: string, description: string) =>
  additionalParam(label, name, {
    placeholder: '2026-01-01T00:00:00.000Z',
    description: `${description} (ISO 8601)`,
  })

export const exaSearch = searchTool({
  label: 'Exa Search',
  name: 'exaSearch',
  type: 'ExaSearch',
  version: 1.1,
  description: 'Searches the web by meaning with Exa',
  inputs: [
    {
      label: 'Tool description',
      name: 'description',
      type: 'string',
      rows: 4,
      additionalParams: true,
      default: DESCRIPTION,
      description: 'Tells the model when to use the tool',
    },
    additionalParam('Number of results', 'numResults', { type: 'number', step: 1, description: `Up to ${MAX_HITS}` }),
    additionalParam('Search type', 'type', { type: 'options', options: choices(['keyword', 'neural', 'auto']) }),
    additionalParam('Use auto prompt', 'useAutoprompt', { type: 'boolean', description: 'Let Exa rewrite the query' }),
    additionalParam('Category (beta)', 'category', { type: 'options', options: choices(CATEGORIES) }),
    additionalParam('Include domains', 'includeDomains', {
      rows: 4,
      description: 'Search only these domains, separated by commas',
    }),
    additionalParam('Exclude domains', 'excludeDomains', {
      rows: 4,
      description: 'Exclude these domains, separated by commas',
    }),
    date('Start crawl date', 'startCrawlDate', 'Only pages crawled after this date'),
    date('End crawl date', 'endCrawlDate', 'Only pages crawled before this date'),
    date('Start published date', 'startPublishedDate', 'Only pages published after this date'),
    date('End published date', 'endPublishedDate', 'Only pages published before this date'),
  ],
  credential: keyCredential({ label: 'Exa Search API', name: 'exaSearchApi', hosts: ['api.exa.ai'] }, KEY),
  tool: { name: 'exa_search', description: DESCRIPTION, descriptionInput: 'description' },
  argument: { name: 'input', description: 'What to search for' },
  async search(query, context) {
    const { config } = context
    const { results = [] } = await callJson<Answer>(
      {
        service: 'Exa',
        url: 'https://api.exa.ai/search',
        method: 'POST',
        headers: { 'x-api-key': secret(context, 'Exa', KEY) },
        body: {
          query,
          numResults: Math.min(number(config, 'numResults') ?? MAX_HITS, MAX_HITS),
          type: text(config, 'type'),
          useAutoprompt: isOn(config, 'useAutoprompt') || undefined,
          category: text(config, 'category'),
          includeDomains: list(config, 'includeDomains'),
          excludeDomains: list(config, 'excludeDomains'),
          startCrawlDate: text(config, 'startCrawlDate'),
          endCrawlDate: text(config, 'endCrawlDate'),
          startPublishedDate: text(config, 'startPublishedDate'),
          endPublishedDate: text(config, 'endPublishedDate'),
          contents: { text: { maxCharacters: MAX_TEXT } },
        },
      },
      context,
    )
    const hits = results.map(
      ({ title, url = '', publishedDate, author, text: snippet = '' }): Hit => ({
        title: title ?? '',
        link: url,
        snippet,
        date: publishedDate,
        author,
      }),
    )
    return hitsText(hits)
  },
})
