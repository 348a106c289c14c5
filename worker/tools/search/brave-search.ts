import { keyCredential } from '#contract/flow/params/builders.ts'
import { callJson } from '../../providers/json-api.ts'
import { type Hit, hitsText, MAX_HITS, plain, searchTool, secret } from './search.ts'

interface Answer {
  web?: { results?: { title?: string; url?: string; description?: string; age?: string; page_age?: string }[] }
}

const KEY = { label: 'BraveSearch API key', name: 'braveApiKey' }

export const braveSearch = searchTool({
  label: 'BraveSearch API',
  name: 'braveSearchAPI',
  type: 'BraveSearchAPI',
  version: 1,
  description: 'Searches the web with Brave',
  credential: keyCredential(
    { label: 'Brave Search API', name: 'braveSearchApi', hosts: ['api.search.brave.com'] },
    KEY,
  ),
  tool: {
    name: 'brave_search',
    description: 'Searches the web. Useful for questions about current events and facts. Returns a list of pages.',
  },
  argument: { name: 'input', description: 'What to search for' },
  async search(query, context) {
    const { web } = await callJson<Answer>(
      {
        service: 'Brave Search',
        url: 'https://api.search.brave.com/res/v1/web/search',
        query: { q: query, count: MAX_HITS },
        headers: { accept: 'application/json', 'x-subscription-token': secret(context, 'Brave Search', KEY) },
      },
      context,
    )
    const hits = (web?.results ?? []).map(
      ({ title, url, description, age, page_age }): Hit => ({
        title: plain(title),
        link: url ?? '',
        snippet: plain(description),
        date: page_age ?? age,
      }),
    )
    return hitsText(hits)
  },
})
