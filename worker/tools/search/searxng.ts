import { withoutTrailing } from '#contract/text.ts'
import { headers, number, text } from '../../models/config.ts'
import { additionalParam } from '../definition.ts'
import { callJson, type Network, type ServiceCall } from '../web/json-api.ts'
import { hitsText, searchTool } from './search.ts'

interface Answer {
  results?: { title?: string; url?: string; content?: string; publishedDate?: string | null }[]
  answers?: (string | { answer?: string })[]
  infoboxes?: { infobox?: string; content?: string }[]
  suggestions?: string[]
}

const NAME = 'searxng-search'
const DESCRIPTION =
  'Searches the web with several search engines at once. Useful for current events and facts. Answers a list of pages.'

export const searxng = searchTool({
  label: 'SearXNG',
  name: 'searXNG',
  type: 'SearXNG',
  version: 3,
  description: 'Searches with a SearXNG server of yours',
  inputs: [
    {
      label: 'Base URL',
      name: 'apiBase',
      type: 'string',
      default: 'http://localhost:8080',
      description: 'A server in a private network must be named in ALLOW_PRIVATE_HOSTS',
    },
    { label: 'Tool Name', name: 'toolName', type: 'string', default: NAME, description: 'By which the model calls it' },
    {
      label: 'Tool Description',
      name: 'toolDescription',
      type: 'string',
      rows: 4,
      default: DESCRIPTION,
      description: 'Tells the model when to use this tool',
    },
    additionalParam('Headers', 'headers', { type: 'json', description: 'Sent along, for example to pass a proxy' }),
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
      description: 'The settings.yml of the server must list json under search.formats',
    },
    additionalParam('Categories', 'categories', { description: 'Separated by commas' }),
    additionalParam('Engines', 'engines', { description: 'Separated by commas' }),
    additionalParam('Language', 'language', { description: 'Its code, for example de' }),
    additionalParam('Page No.', 'pageno', { type: 'number' }),
    additionalParam('Time Range', 'time_range', { description: 'day, month or year, for engines that know it' }),
    additionalParam('Safe Search', 'safesearch', { type: 'number', description: '0 off, 1 moderate, 2 strict' }),
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

/** A server that may not answer JSON refuses with 403 and a page: the reason is said instead of the page. */
function read(call: ServiceCall, outside: Network): Promise<Answer> {
  return callJson<Answer>(call, outside).catch((thrown: unknown) => {
    if (thrown instanceof Error && / 403\b/.test(thrown.message))
      throw new Error('SearXNG answered 403: add json to search.formats in the settings.yml of the server')
    throw thrown
  })
}
