import { keyCredential } from '#contract/flow/params/builders.ts'
import { callJson } from '../../providers/json-api.ts'
import { hitsText, searchTool, secret } from './search.ts'

interface Answer {
  error?: string
  answer_box?: { answer?: string; snippet?: string; result?: string; title?: string }
  knowledge_graph?: { title?: string; type?: string; description?: string }
  organic_results?: { title?: string; link?: string; snippet?: string; date?: string }[]
}

const KEY = { label: 'Serp API key', name: 'serpApiKey' }
const NO_RESULTS = /hasn't returned any results/

export const serpApi = searchTool({
  label: 'Serp API',
  name: 'serpAPI',
  type: 'SerpAPI',
  version: 1,
  description: 'Searches Google with SerpApi',
  credential: keyCredential({ label: 'Serp API', name: 'serpApi', hosts: ['serpapi.com'] }, KEY),
  tool: {
    name: 'serpapi_search',
    description: 'Searches Google. Useful for questions about current events and facts. Returns a list of pages.',
  },
  argument: { name: 'input', description: 'What to search for' },
  async search(query, context) {
    const found = await callJson<Answer>(
      {
        service: 'SerpApi',
        url: 'https://serpapi.com/search.json',
        query: { engine: 'google', q: query, api_key: secret(context, 'SerpApi', KEY) },
      },
      context,
    )
    // A search without results returns status 200 with an error text.
    if (found.error && !NO_RESULTS.test(found.error)) throw new Error(`SerpApi: ${found.error}`)
    const { answer_box: box, knowledge_graph: graph, organic_results: organic = [] } = found
    const hits = organic.map(({ title = '', link = '', snippet = '', date }) => ({ title, link, snippet, date }))
    return hitsText(hits, {
      answer: box?.answer ?? box?.result ?? box?.snippet,
      about: graph && { title: graph.title, type: graph.type, description: graph.description },
    })
  },
})
