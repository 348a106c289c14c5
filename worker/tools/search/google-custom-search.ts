import { callJson } from '../../providers/json-api.ts'
import { hitsText, MAX_HITS, searchTool, secret } from './search.ts'

interface Answer {
  items?: { title?: string; link?: string; snippet?: string }[]
}

const KEY = { label: 'Google Custom Search API key', name: 'googleCustomSearchApiKey' }
const ENGINE = { label: 'Programmable Search Engine ID', name: 'googleCustomSearchApiId' }

export const googleCustomSearch = searchTool({
  label: 'Google Custom Search',
  name: 'googleCustomSearch',
  type: 'GoogleCustomSearchAPI',
  version: 1,
  description: 'Searches with a Google Programmable Search Engine',
  credential: {
    label: 'Google Custom Search API',
    name: 'googleCustomSearchApi',
    hosts: ['www.googleapis.com'],
    version: 1,
    description:
      'Get the key from the credentials page of the Google Cloud console, and the ID from the Programmable Search Engine control panel.',
    inputs: [
      { ...KEY, type: 'password' },
      { ...ENGINE, type: 'string' },
    ],
  },
  tool: {
    name: 'google_custom_search',
    description: 'Searches Google. Useful for questions about current events and facts. Returns a list of pages.',
  },
  argument: { name: 'input', description: 'What to search for' },
  async search(query, context) {
    const { items = [] } = await callJson<Answer>(
      {
        service: 'Google Custom Search',
        url: 'https://www.googleapis.com/customsearch/v1',
        query: {
          key: secret(context, 'Google Custom Search', KEY),
          cx: secret(context, 'Google Custom Search', ENGINE),
          q: query,
          num: MAX_HITS,
        },
      },
      context,
    )
    return hitsText(items.map(({ title = '', link = '', snippet = '' }) => ({ title, link, snippet })))
  },
})
