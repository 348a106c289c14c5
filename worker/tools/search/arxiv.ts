import { additionalParam } from '#contract/flow/params/builders.ts'
import { isOn, number } from '../../inputs/component-config.ts'
import { bounded, callService } from '../../providers/json-api.ts'
import { type Document, elementsNamed, firstText, parseXml } from '../../text/xml.ts'
import { MAX_HITS, searchTool } from './search.ts'

const DESCRIPTION =
  'Searches scientific papers on arXiv by keywords, authors or identifiers such as 2301.12345. Returns their summaries.'
const RESULTS = 3
const CHARS = 10_000
const IDENTIFIER = /^(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?\/\d{7})(v\d+)?$/

export const arxiv = searchTool({
  label: 'Arxiv',
  name: 'arxiv',
  type: 'Arxiv',
  version: 1,
  description: 'Searches scientific papers on arXiv',
  hint: 'Returns summaries and the URL of each PDF. Reading full PDFs is not supported.',
  inputs: [
    additionalParam('Name', 'arxivName', { default: 'arxiv_search' }),
    additionalParam('Description', 'arxivDescription', {
      rows: 4,
      default: DESCRIPTION,
      description: 'Tells the model when to use the tool',
    }),
    additionalParam('Top K results', 'topKResults', {
      type: 'number',
      default: '3',
      step: 1,
      description: 'Maximum number of papers',
    }),
    additionalParam('Max query length', 'maxQueryLength', { type: 'number', default: '300', step: 1 }),
    additionalParam('Max content length', 'docContentCharsMax', {
      type: 'number',
      default: '10000',
      step: 1,
      description: 'Maximum number of characters in total. 0 means no limit.',
    }),
    additionalParam('Load full content', 'loadFullContent', { type: 'boolean', default: false, unsupported: true }),
    additionalParam('Continue on failure', 'continueOnFailure', { type: 'boolean', default: false, unsupported: true }),
    additionalParam('Use legacy build', 'legacyBuild', { type: 'boolean', default: false, unsupported: true }),
  ],
  tool: {
    name: 'arxiv_search',
    description: DESCRIPTION,
    nameInput: 'arxivName',
    descriptionInput: 'arxivDescription',
  },
  argument: { name: 'query', description: 'Keywords, authors, or identifiers separated by spaces' },
  async search(query, context) {
    const { config } = context
    if (isOn(config, 'loadFullContent'))
      throw new Error('Arxiv: reading full PDFs is not supported. Turn off "Load full content" to get summaries.')
    const asked = query.slice(0, number(config, 'maxQueryLength') || 300)
    const limit = Math.min(number(config, 'topKResults') || RESULTS, MAX_HITS)
    const answer = await callService(
      { service: 'Arxiv', url: 'https://export.arxiv.org/api/query', query: { ...termsOf(asked), max_results: limit } },
      context,
    )
    const papers = papersIn(await parseXml(await answer.text()))
    const chars = number(config, 'docContentCharsMax') ?? CHARS
    return papers.length === 0 ? 'No results found.' : bounded(papers.join('\n\n'), chars || Number.POSITIVE_INFINITY)
  },
})

/** Looks up identifiers, or searches for words. Removes operators of the query language. */
function termsOf(query: string): Record<string, string> {
  const words = query.split(/\s+/).filter(Boolean)
  if (words.every((word) => IDENTIFIER.test(word))) return { id_list: words.join(',') }
  const plain = query.replace(/[^\p{L}\p{N}.]+/gu, ' ').trim()
  return { search_query: `all:${plain}`, sortBy: 'relevance', sortOrder: 'descending' }
}

/** Returns the papers in a feed. @throws Error with the feed's message: an invalid query returns an entry titled "Error" */
function papersIn(feed: Document): string[] {
  return elementsNamed(feed, 'entry').map((entry) => {
    const [title, summary] = [firstText(entry, 'title'), firstText(entry, 'summary')]
    if (title === 'Error') throw new Error(`Arxiv: ${summary}`)
    const authors = elementsNamed(entry, 'author').map((author) => firstText(author, 'name'))
    const pdf = elementsNamed(entry, 'link').find(({ attribs }) => attribs.title === 'pdf')?.attribs.href
    return [
      `Title: ${title}`,
      `Authors: ${authors.join(', ')}`,
      `Published: ${firstText(entry, 'published').slice(0, 10)}`,
      `Link: ${firstText(entry, 'id')}`,
      ...(pdf ? [`PDF: ${pdf}`] : []),
      `Summary: ${summary}`,
    ].join('\n')
  })
}
