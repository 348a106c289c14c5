import { withoutTrailing } from '#contract/data/text.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import { headers, number, text } from '../../inputs/component-config.ts'
import { callJson, type Network, type ServiceCall } from '../../providers/json-api.ts'
import { hitsText, searchTool } from './search.ts'

interface Answer {
  results?: { title?: string; url?: string; content?: string; publishedDate?: string | null }[]
  answers?: (string | { answer?: string })[]
  infoboxes?: { infobox?: string; content?: string }[]
  suggestions?: string[]
}

const NAME = 'searxng-search'
const DESCRIPTION =
  'Searches the web with several search engines at once. Useful for current events and facts. Returns a list of pages.'

export const searxng = searchTool({
  label: 'SearXNG',
  name: 'searXNG',
  type: 'SearXNG',
  version: 3,
  description: 'Searches the web with your SearXNG server',
  inputs: [
    {
      label: 'Base URL',
      name: 'apiBase',
      type: 'string',
      default: 'http://localhost:8080',
      description: 'A server in a private network must be listed in ALLOW_PRIVATE_HOSTS',
    },
    {
      label: 'Tool name',
      name: 'toolName',
      type: 'string',
      default: NAME,
      description: 'The name the model uses to call it',
    },
    {
      label: 'Tool description',
      name: 'toolDescription',
      type: 'string',
      rows: 4,
      default: DESCRIPTION,
      description: 'Tells the model when to use the tool',
    },
    additionalParam('Headers', 'headers', {
      type: 'json',
      description: 'Additional request headers, for example for a proxy',
    }),
    {
      label: 'Format',
      name: 'format',
      type: 'options',
      options: [
        { label: 'JSON', name: 'json' },
        { label: 'HTML', name: 'html', unsupported: true },
      ],
      default: 'json',
      additionalParams: true,
      description: 'The server’s settings.yml must list json under search.formats',
    },
    additionalParam('Categories', 'categories', { description: 'Separated by commas' }),
    additionalParam('Engines', 'engines', { description: 'Separated by commas' }),
    additionalParam('Language', 'language', { description: 'Language code, for example de' }),
    additionalParam('Page', 'pageno', { type: 'number' }),
    additionalParam('Time range', 'time_range', { description: 'day, month or year, for engines that support it' }),
    additionalParam('Safe search', 'safesearch', { type: 'number', description: '0 off, 1 moderate, 2 strict' }),
  ],
  tool: { name: NAME, description: DESCRIPTION, nameInput: 'toolName', descriptionInput: 'toolDescription' },
  argument: { name: 'input', description: 'What to search for' },
  async search(query, context) {
    const { config } = context
    const base = text(config, 'apiBase')
    if (!base) throw new Error('SearXNG: Base URL is empty')
    const call: ServiceCall = {
      service: 'SearXNG',
      url: `${withoutTrailing(base, '/')}/search`,
      query: {
        q: query,
        format: 'json',
        categories: text(config, 'categories'),
        engines: text(config, 'engines'),
        language: text(config, 'language'),
        pageno: number(config, 'pageno'),
        time_range: text(config, 'time_range'),
        safesearch: number(config, 'safesearch'),
      },
      headers: { accept: 'application/json', ...headers(config, 'headers') },
    }
    const { results = [], answers = [], infoboxes = [], suggestions = [] } = await read(call, context)
    const hits = results.map(({ title = '', url = '', content = '', publishedDate }) => ({
      title,
      link: url,
      snippet: content,
      date: publishedDate ?? undefined,
    }))
    const said = answers.flatMap((answer) => (typeof answer === 'string' ? answer : (answer.answer ?? [])))
    return hitsText(hits, {
      answers: said.length > 0 ? said : undefined,
      about: infoboxes.length > 0 ? infoboxes.map(({ infobox, content }) => ({ infobox, content })) : undefined,
      suggestions: hits.length === 0 && suggestions.length > 0 ? suggestions : undefined,
    })
  },
})

/** Explains a 403 response, which servers send when the JSON format is disabled. */
function read(call: ServiceCall, network: Network): Promise<Answer> {
  return callJson<Answer>(call, network).catch((error: unknown) => {
    if (error instanceof Error && / 403\b/.test(error.message))
      throw new Error("SearXNG responded with 403. Add json to search.formats in the server's settings.yml.")
    throw error
  })
}
