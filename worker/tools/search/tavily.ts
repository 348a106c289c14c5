import { additionalParam, keyCredential } from '#contract/flow/params/builders.ts'
import { isOn, list, number, text } from '../../inputs/component-config.ts'
import { callJson } from '../../providers/json-api.ts'
import { hitsText, searchTool, secret } from './search.ts'

interface Answer {
  answer?: string | null
  images?: (string | { url: string; description?: string })[]
  results?: {
    title?: string
    url?: string
    content?: string
    raw_content?: string | null
    published_date?: string
  }[]
}

const KEY = { label: 'Tavily API key', name: 'tavilyApiKey' }
const MAX_RAW = 4000

const choices = (...names: string[]) => names.map((name) => ({ label: name[0]?.toUpperCase() + name.slice(1), name }))

export const tavily = searchTool({
  label: 'Tavily API',
  name: 'tavilyAPI',
  type: 'TavilyAPI',
  version: 1.2,
  description: 'Searches the web with Tavily, a search engine for agents',
  inputs: [
    additionalParam('Topic', 'topic', {
      type: 'options',
      options: choices('general', 'news'),
      default: 'general',
      description: 'Use news for recent events',
    }),
    additionalParam('Search depth', 'searchDepth', {
      type: 'options',
      options: choices('basic', 'advanced'),
      default: 'basic',
      description: 'Advanced returns better results and costs two credits instead of one',
    }),
    additionalParam('Chunks per source', 'chunksPerSource', {
      type: 'number',
      default: 3,
      description: '1 to 3, for advanced searches',
    }),
    additionalParam('Max results', 'maxResults', { type: 'number', default: 5, description: '0 to 20' }),
    additionalParam('Time range', 'timeRange', { type: 'options', options: choices('day', 'week', 'month', 'year') }),
    additionalParam('Days', 'days', {
      type: 'number',
      default: 7,
      description: 'How many days to look back, for news',
    }),
    additionalParam('Include answer', 'includeAnswer', {
      type: 'boolean',
      default: false,
      description: 'Add an answer written by a model',
    }),
    additionalParam('Include raw content', 'includeRawContent', {
      type: 'boolean',
      default: false,
      description: 'Add the text of each page, truncated',
    }),
    additionalParam('Include images', 'includeImages', { type: 'boolean', default: false }),
    additionalParam('Include image descriptions', 'includeImageDescriptions', { type: 'boolean', default: false }),
    additionalParam('Include domains', 'includeDomains', {
      description: 'Search only these domains, separated by commas',
    }),
    additionalParam('Exclude domains', 'excludeDomains', { description: 'Exclude these domains, separated by commas' }),
  ],
  credential: keyCredential({ label: 'Tavily API', name: 'tavilyApi', hosts: ['api.tavily.com'], version: 1.1 }, KEY),
  tool: {
    name: 'tavily_search',
    description: 'Searches the web. Useful for questions about current events and facts. Returns a list of pages.',
  },
  argument: { name: 'query', description: 'What to search for' },
  async search(query, context) {
    const { config } = context
    const isAdvanced = text(config, 'searchDepth') === 'advanced'
    const isNews = text(config, 'topic') === 'news'
    const {
      answer,
      images,
      results = [],
    } = await callJson<Answer>(
      {
        service: 'Tavily',
        url: 'https://api.tavily.com/search',
        method: 'POST',
        headers: { authorization: `Bearer ${secret(context, 'Tavily', KEY)}` },
        body: {
          query,
          topic: text(config, 'topic'),
          search_depth: text(config, 'searchDepth'),
          chunks_per_source: isAdvanced ? number(config, 'chunksPerSource') : undefined,
          max_results: number(config, 'maxResults'),
          time_range: text(config, 'timeRange'),
          days: isNews ? number(config, 'days') : undefined,
          include_answer: isOn(config, 'includeAnswer'),
          include_raw_content: isOn(config, 'includeRawContent'),
          include_images: isOn(config, 'includeImages'),
          include_image_descriptions: isOn(config, 'includeImageDescriptions'),
          include_domains: list(config, 'includeDomains'),
          exclude_domains: list(config, 'excludeDomains'),
        },
      },
      context,
    )
    const hits = results.map(({ title = '', url = '', content = '', raw_content, published_date }) => ({
      title,
      link: url,
      snippet: content,
      date: published_date,
      content: raw_content?.slice(0, MAX_RAW),
    }))
    return hitsText(hits, { answer: answer ?? undefined, images: images?.length ? images : undefined })
  },
})
