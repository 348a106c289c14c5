import { describe, expect, it } from 'vitest'
import { fakeNetwork } from '../../ports/testing/fake-network.ts'
import { toolName } from '../definition.ts'
import { openTool, toolNamed } from '../testing/tools.ts'
import { plain } from './search.ts'

const json = (value: unknown, status = 200, statusText = '') => Response.json(value, { status, statusText })

interface Case {
  name: string
  tool: string
  argument?: 'query'
  config?: Record<string, unknown>
  credential?: Record<string, unknown>
  url: string
  answer: Response
  sent: { method: string; body?: unknown; headers?: Record<string, string> }
  found: unknown
}

/** Each service's documented response, abridged. */
const cases: Case[] = [
  {
    name: 'braveSearchAPI',
    tool: 'brave_search',
    credential: { braveApiKey: 'BSA-1' },
    url: 'https://api.search.brave.com/res/v1/web/search?q=edge+workers&count=10',
    answer: json({
      type: 'search',
      query: { original: 'edge workers', more_results_available: true },
      web: {
        type: 'search',
        results: [
          {
            title: 'Edge <strong>workers</strong>',
            url: 'https://example.com/a',
            description: 'What <strong>workers</strong> are &amp; do',
            page_age: '2026-01-15T00:00:00',
            language: 'en',
            profile: { name: 'Example', url: 'https://example.com/a' },
          },
        ],
      },
    }),
    sent: { method: 'GET', headers: { 'x-subscription-token': 'BSA-1', accept: 'application/json' } },
    found: [
      {
        title: 'Edge workers',
        link: 'https://example.com/a',
        snippet: 'What workers are & do',
        date: '2026-01-15T00:00:00',
      },
    ],
  },
  {
    name: 'tavilyAPI',
    tool: 'tavily_search',
    argument: 'query',
    credential: { tavilyApiKey: 'tvly-1' },
    config: { topic: 'news', includeAnswer: true, maxResults: '3', includeDomains: 'a.com, b.com' },
    url: 'https://api.tavily.com/search',
    answer: json({
      query: 'edge workers',
      answer: 'They run near people.',
      images: [],
      results: [
        {
          title: 'A',
          url: 'https://a.com',
          content: 'near',
          score: 0.9,
          raw_content: null,
          published_date: '2026-02-01',
        },
      ],
      response_time: 1.2,
      request_id: 'r-1',
    }),
    sent: {
      method: 'POST',
      headers: { authorization: 'Bearer tvly-1', 'content-type': 'application/json' },
      body: {
        query: 'edge workers',
        topic: 'news',
        search_depth: 'basic',
        max_results: 3,
        days: 7,
        include_answer: true,
        include_raw_content: false,
        include_images: false,
        include_image_descriptions: false,
        include_domains: ['a.com', 'b.com'],
      },
    },
    found: {
      answer: 'They run near people.',
      results: [{ title: 'A', link: 'https://a.com', snippet: 'near', date: '2026-02-01' }],
    },
  },
  {
    name: 'serper',
    tool: 'serper_search',
    credential: { serperApiKey: 's-1' },
    url: 'https://google.serper.dev/search',
    answer: json({
      searchParameters: { q: 'edge workers', type: 'search', engine: 'google' },
      answerBox: { title: 'Edge', answer: 'Near people' },
      knowledgeGraph: { title: 'Edge', type: 'Computing', attributes: { Since: '2017' } },
      organic: [{ title: 'A', link: 'https://a.com', snippet: 'near', date: 'Feb 1, 2026', position: 1 }],
      credits: 1,
    }),
    sent: { method: 'POST', headers: { 'x-api-key': 's-1' }, body: { q: 'edge workers' } },
    found: {
      answer: 'Near people',
      about: { title: 'Edge', type: 'Computing', Since: '2017' },
      results: [{ title: 'A', link: 'https://a.com', snippet: 'near', date: 'Feb 1, 2026' }],
    },
  },
  {
    name: 'serpAPI',
    tool: 'serpapi_search',
    credential: { serpApiKey: 'k' },
    url: 'https://serpapi.com/search.json?engine=google&q=edge+workers&api_key=k',
    answer: json({
      search_metadata: { id: '1', status: 'Success' },
      answer_box: { type: 'organic_result', title: 'Edge', snippet: 'Near people' },
      organic_results: [{ position: 1, title: 'A', link: 'https://a.com', snippet: 'near' }],
    }),
    sent: { method: 'GET' },
    found: { answer: 'Near people', results: [{ title: 'A', link: 'https://a.com', snippet: 'near' }] },
  },
  {
    name: 'googleCustomSearch',
    tool: 'google_custom_search',
    credential: { googleCustomSearchApiKey: 'AIza', googleCustomSearchApiId: 'cx1' },
    url: 'https://www.googleapis.com/customsearch/v1?key=AIza&cx=cx1&q=edge+workers&num=10',
    answer: json({
      kind: 'customsearch#search',
      searchInformation: { totalResults: '1' },
      items: [
        { kind: 'customsearch#result', title: 'A', link: 'https://a.com', snippet: 'near', htmlTitle: '<b>A</b>' },
      ],
    }),
    sent: { method: 'GET' },
    found: [{ title: 'A', link: 'https://a.com', snippet: 'near' }],
  },
  {
    name: 'exaSearch',
    tool: 'exa_search',
    credential: { exaSearchApiKey: 'e-1' },
    config: { numResults: '50', type: 'neural', category: 'news', excludeDomains: 'x.com' },
    url: 'https://api.exa.ai/search',
    answer: json({
      requestId: 'b5',
      resolvedSearchType: 'neural',
      results: [
        {
          id: 'https://a.com',
          title: 'A',
          url: 'https://a.com',
          publishedDate: '2026-02-01T00:00:00.000Z',
          author: null,
          text: 'near',
        },
        { id: 'https://b.com', title: null, url: 'https://b.com' },
      ],
      costDollars: { total: 0.005 },
    }),
    sent: {
      method: 'POST',
      headers: { 'x-api-key': 'e-1' },
      body: {
        query: 'edge workers',
        numResults: 10,
        type: 'neural',
        category: 'news',
        excludeDomains: ['x.com'],
        contents: { text: { maxCharacters: 1000 } },
      },
    },
    found: [
      { title: 'A', link: 'https://a.com', snippet: 'near', date: '2026-02-01T00:00:00.000Z' },
      { link: 'https://b.com', snippet: '' },
    ],
  },
  {
    name: 'searXNG',
    tool: 'searxng-search',
    config: { apiBase: 'https://sx.example.com/', categories: 'it', pageno: '2', headers: '{"x-pass": "1"}' },
    url: 'https://sx.example.com/search?q=edge+workers&format=json&categories=it&pageno=2',
    answer: json({
      query: 'edge workers',
      number_of_results: 1,
      results: [{ url: 'https://a.com', title: 'A', content: 'near', engine: 'bing', publishedDate: null, score: 1 }],
      answers: [{ answer: 'Near people', engine: 'duckduckgo' }],
      corrections: [],
      infoboxes: [{ infobox: 'Edge', content: 'A place', engine: 'wikidata' }],
      suggestions: ['edge'],
      unresponsive_engines: [],
    }),
    sent: { method: 'GET', headers: { 'x-pass': '1', accept: 'application/json' } },
    found: {
      answers: ['Near people'],
      about: [{ infobox: 'Edge', content: 'A place' }],
      results: [{ title: 'A', link: 'https://a.com', snippet: 'near' }],
    },
  },
]

describe.each(cases)(
  'the tool $name',
  ({ name, tool, argument = 'input', config, credential, url, answer, sent, found }) => {
    it('sends a valid request and returns the results', async () => {
      const network = fakeNetwork({ [url]: answer })
      const opened = await openTool(name, network, { config, credential })
      expect(opened).toMatchObject({ name: tool, hasEffect: false, parameters: { required: [argument] } })
      const text = await opened.call({ [argument]: ' edge workers ' })
      expect(JSON.parse(String(text))).toEqual(found)
      const [seen] = network.seen
      expect(seen).toMatchObject({ method: sent.method, headers: sent.headers ?? {} })
      if (sent.body) expect(JSON.parse(seen?.body ?? '')).toEqual(sent.body)
    })

    it('rejects an empty query', async () => {
      const network = fakeNetwork({})
      const opened = await openTool(name, network, { config, credential })
      await expect(opened.call({ [argument]: ' ' })).rejects.toThrow(`${argument} is empty`)
      expect(network.seen).toEqual([])
    })

    it('names the missing key', async () => {
      const { credential: type } = toolNamed(name)
      if (!type) return expect(credential).toBeUndefined()
      const opened = await openTool(name, fakeNetwork({}), { config, credential: {} })
      const [first] = type.inputs
      await expect(opened.call({ [argument]: 'x' })).rejects.toThrow(`"${first?.label}" of the credential is empty`)
    })
  },
)

/** Each service's error response and the resulting message. */
const refusals: [
  name: string,
  credential: Record<string, unknown>,
  refusal: [unknown, number, string],
  says: string,
][] = [
  [
    'braveSearchAPI',
    { braveApiKey: 'bad' },
    [
      {
        id: '1',
        status: 422,
        type: 'ErrorResponse',
        error: {
          code: 'SUBSCRIPTION_TOKEN_INVALID',
          detail: 'The provided subscription token is invalid.',
          status: 422,
        },
      },
      422,
      'Unprocessable Entity',
    ],
    'Brave Search responded with 422 Unprocessable Entity: The provided subscription token is invalid.',
  ],
  [
    'tavilyAPI',
    { tavilyApiKey: 'bad' },
    [{ detail: { error: 'Unauthorized: missing or invalid API key.' } }, 401, 'Unauthorized'],
    'Tavily responded with 401 Unauthorized: Unauthorized: missing or invalid API key.',
  ],
  [
    'serper',
    { serperApiKey: 'bad' },
    [{ message: 'Unauthorized.', statusCode: 403 }, 403, 'Forbidden'],
    'Serper responded with 403 Forbidden: Unauthorized.',
  ],
  [
    'serpAPI',
    { serpApiKey: 'bad' },
    [{ error: 'Invalid API key.' }, 401, 'Unauthorized'],
    'SerpApi responded with 401 Unauthorized: Invalid API key.',
  ],
  [
    'googleCustomSearch',
    { googleCustomSearchApiKey: 'bad', googleCustomSearchApiId: 'cx' },
    [
      {
        error: {
          code: 400,
          message: 'API key not valid.',
          errors: [{ reason: 'badRequest' }],
          status: 'INVALID_ARGUMENT',
        },
      },
      400,
      'Bad Request',
    ],
    'Google Custom Search responded with 400 Bad Request: API key not valid.',
  ],
  [
    'exaSearch',
    { exaSearchApiKey: 'bad' },
    [{ requestId: '1', error: 'Invalid API key', tag: 'INVALID_API_KEY' }, 401, ''],
    'Exa responded with 401: Invalid API key',
  ],
]

it.each(refusals)('%s passes on the service’s error', async (name, credential, [body, status, statusText], says) => {
  const network = { seen: [], fetch: async () => json(body, status, statusText) }
  const opened = await openTool(name, network, { credential })
  const argument = name === 'tavilyAPI' ? 'query' : 'input'
  await expect(opened.call({ [argument]: 'x' })).rejects.toMatchObject({ message: says })
})

describe('search results', () => {
  const always = (answer: () => Response) => ({ seen: [], fetch: async () => answer() })

  it('empty search results return a sentence, not an error', async () => {
    const none = { error: "Google hasn't returned any results for this query." }
    const serp = await openTool(
      'serpAPI',
      always(() => json(none)),
      { credential: { serpApiKey: 'k' } },
    )
    expect(await serp.call({ input: 'x' })).toBe('No results found.')
    const brave = await openTool(
      'braveSearchAPI',
      always(() => json({ type: 'search' })),
      { credential: { braveApiKey: 'k' } },
    )
    expect(await brave.call({ input: 'x' })).toBe('No results found.')
  })

  it('search results that are not JSON fail with the service’s name', async () => {
    const broken = always(() => new Response('<html>maintenance</html>'))
    const opened = await openTool('serper', broken, { credential: { serperApiKey: 'k' } })
    await expect(opened.call({ input: 'x' })).rejects.toThrow('Serper did not return JSON: <html>maintenance')
  })

  const services = [
    ['braveSearchAPI', 'Brave Search'],
    ['tavilyAPI', 'Tavily'],
    ['serper', 'Serper'],
    ['serpAPI', 'SerpApi'],
    ['googleCustomSearch', 'Google Custom Search'],
    ['exaSearch', 'Exa'],
    ['wikipedia', 'Wikipedia'],
    ['searXNG', 'SearXNG'],
  ] as const
  const secrets = {
    braveApiKey: 'k',
    tavilyApiKey: 'k',
    serperApiKey: 'k',
    serpApiKey: 'k',
    googleCustomSearchApiKey: 'k',
    googleCustomSearchApiId: 'k',
    exaSearchApiKey: 'k',
  }

  it.each(services)('of %s with another type of JSON fail with the service’s name', async (name, service) => {
    const config = name === 'searXNG' ? { apiBase: 'https://sx.example.com' } : {}
    const ask = async (answer: () => Response) => {
      const tool = await openTool(name, always(answer), { credential: secrets, config })
      return tool.call({ [name === 'tavilyAPI' ? 'query' : 'input']: 'x' })
    }
    for (const body of ['null', '"x"', '7', '<html>', ''])
      await expect(ask(() => new Response(body))).rejects.toThrow(`${service} did not return JSON`)
    const empty = { results: null, web: { results: null }, organic: null, items: null, answers: null, query: null }
    expect(await ask(() => json({ ...empty, organic_results: null, error: null }))).toBe('No results found.')
  })

  it('are truncated', async () => {
    const results = Array.from({ length: 30 }, (_, at) => ({
      title: `T${at}`,
      url: 'https://a.com',
      description: 'x'.repeat(5000),
    }))
    const opened = await openTool(
      'braveSearchAPI',
      always(() => json({ web: { results } })),
      { credential: { braveApiKey: 'k' } },
    )
    const hits = JSON.parse(String(await opened.call({ input: 'x' })))
    expect(hits).toHaveLength(10)
    expect(hits[0].snippet).toHaveLength(1001)
  })

  it('of a SearXNG server without JSON explain what to change', async () => {
    const forbidden = always(() => new Response('<html>Forbidden</html>', { status: 403 }))
    const opened = await openTool('searXNG', forbidden, { config: { apiBase: 'https://sx.example.com' } })
    await expect(opened.call({ input: 'x' })).rejects.toThrow('Add json to search.formats')
  })

  it('of a SearXNG server in a private network are not fetched unless allowed', async () => {
    const opened = await openTool(
      'searXNG',
      always(() => json({})),
    )
    await expect(opened.call({ input: 'x' })).rejects.toThrow(/private address|not allowed/)
  })
})

describe('wikipedia', () => {
  const api = 'https://de.wikipedia.org/w/api.php?action=query&format=json&formatversion=2'
  const article = (pageid: number, title: string, extract: string) => ({
    [`${api}&prop=extracts%7Cinfo&inprop=url&explaintext=1&pageids=${pageid}`]: json({
      batchcomplete: true,
      query: { pages: [{ pageid, ns: 0, title, fullurl: `https://de.wikipedia.org/wiki/${title}`, extract }] },
    }),
  })
  const network = fakeNetwork({
    [`${api}&list=search&srsearch=Webstuhl&srlimit=2`]: json({
      batchcomplete: true,
      query: {
        searchinfo: { totalhits: 2 },
        search: [
          { ns: 0, title: 'Webstuhl', pageid: 7 },
          { ns: 0, title: 'Litze', pageid: 9 },
        ],
      },
    }),
    ...article(7, 'Webstuhl', 'Ein Webstuhl ist eine Maschine.'),
    ...article(9, 'Litze', 'x'.repeat(900)),
    [`${api}&list=search&srsearch=qqq&srlimit=2`]: json({ batchcomplete: true, query: { search: [] } }),
    [`${api}&list=search&srsearch=bad&srlimit=2`]: json({
      error: { code: 'srsearch-error', info: 'An error occurred' },
    }),
  })
  const config = { language: 'de', topKResults: '2', docContentCharsMax: '500' }

  it('returns truncated articles, best match first', async () => {
    const text = String(await (await openTool('wikipedia', network, { config })).call({ input: 'Webstuhl' }))
    expect(text).toMatch(
      /^# Webstuhl\nhttps:\/\/de\.wikipedia\.org\/wiki\/Webstuhl\n\nEin Webstuhl ist eine Maschine\.\n\n# Litze\n/,
    )
    expect(text).toMatch(/x{500}\n\[truncated after 500 characters\]$/)
  })

  it('reports empty results and errors', async () => {
    const opened = await openTool('wikipedia', network, { config })
    expect(await opened.call({ input: 'qqq' })).toBe('No results found.')
    await expect(opened.call({ input: 'bad' })).rejects.toThrow('Wikipedia: An error occurred')
  })

  it.each(['evil.com/', 'e', 'de.example'])(
    'rejects the language %s, which would change the host',
    async (language) => {
      const opened = await openTool('wikipedia', fakeNetwork({}), { config: { language } })
      await expect(opened.call({ input: 'x' })).rejects.toThrow('is not a language code')
    },
  )
})

describe('arxiv', () => {
  const feed = (entries: string) =>
    new Response(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">ArXiv Query</title>${entries}</feed>`)
  const entry = `<entry>
    <id>http://arxiv.org/abs/1706.03762v7</id>
    <updated>2023-08-02T00:41:18Z</updated><published>2017-06-12T17:57:34Z</published>
    <title>Attention Is All
  You Need</title>
    <summary>  The dominant models &amp; more
  are based on recurrence. </summary>
    <author><name>Ashish Vaswani</name></author><author><name>Noam Shazeer</name></author>
    <link href="http://arxiv.org/abs/1706.03762v7" rel="alternate" type="text/html"/>
    <link title="pdf" href="http://arxiv.org/pdf/1706.03762v7" rel="related" type="application/pdf"/>
  </entry>`
  const base = 'https://export.arxiv.org/api/query'
  const network = fakeNetwork({
    [`${base}?id_list=1706.03762%2Chep-th%2F9901001&max_results=3`]: feed(entry),
    [`${base}?search_query=all%3Aself+attention+models&sortBy=relevance&sortOrder=descending&max_results=1`]:
      feed(entry),
    [`${base}?search_query=all%3Azzz&sortBy=relevance&sortOrder=descending&max_results=3`]: feed(''),
    [`${base}?search_query=all%3Abad&sortBy=relevance&sortOrder=descending&max_results=3`]: feed(
      '<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title><summary>incorrect id format</summary></entry>',
    ),
  })

  it('looks up identifiers', async () => {
    const opened = await openTool('arxiv', network)
    expect(opened.name).toBe('arxiv_search')
    expect(await opened.call({ query: '1706.03762 hep-th/9901001' })).toBe(
      [
        'Title: Attention Is All You Need',
        'Authors: Ashish Vaswani, Noam Shazeer',
        'Published: 2017-06-12',
        'Link: http://arxiv.org/abs/1706.03762v7',
        'PDF: http://arxiv.org/pdf/1706.03762v7',
        'Summary: The dominant models & more are based on recurrence.',
      ].join('\n'),
    )
  })

  it('searches for words without query language operators', async () => {
    const config = { arxivName: 'My Papers', topKResults: '1', docContentCharsMax: '20' }
    const opened = await openTool('arxiv', network, { config })
    expect(opened.name).toBe('my_papers')
    expect(await opened.call({ query: 'self-attention: (models)' })).toBe(
      'Title: Attention Is \n[truncated after 20 characters]',
    )
  })

  it('reports empty results, errors and unsupported options', async () => {
    const opened = await openTool('arxiv', network)
    expect(await opened.call({ query: 'zzz' })).toBe('No results found.')
    await expect(opened.call({ query: 'bad' })).rejects.toThrow('Arxiv: incorrect id format')
    const full = await openTool('arxiv', network, { config: { loadFullContent: true } })
    await expect(full.call({ query: 'zzz' })).rejects.toThrow('Turn off "Load full content"')
  })
})

describe('wolframAlpha', () => {
  const ask = (input: string) => `https://www.wolframalpha.com/api/v1/llm-api?appid=A1&input=${input}&maxchars=6000`
  const network = fakeNetwork({
    [ask('2%2B2')]: new Response('Query:\n"2+2"\n\nResult:\n4\n'),
    [ask('qwrt')]: new Response('Wolfram|Alpha did not understand your input', {
      status: 501,
      statusText: 'Not Implemented',
    }),
  })

  it('returns the text or the error', async () => {
    const opened = await openTool('wolframAlpha', network, { credential: { wolframAlphaAppId: 'A1' } })
    expect(await opened.call({ input: '2+2' })).toContain('Result:\n4')
    await expect(opened.call({ input: 'qwrt' })).rejects.toThrow(
      'WolframAlpha responded with 501 Not Implemented: Wolfram|Alpha did not understand your input',
    )
  })
})

it.each([
  ['My Papers!', 'my_papers'],
  ['searxng-search', 'searxng-search'],
  ['Übersicht', 'bersicht'],
  ['搜索', 'tool'],
  ['a'.repeat(80), 'a'.repeat(64)],
])('the tool name %s becomes %s', (written, name) => {
  expect(toolName(written)).toBe(name)
})

it.each([
  ['a <b>c</b> &amp;lt; d', 'a c &lt; d'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  [undefined, ''],
])('the markup %j is read as %j', (markup, text) => {
  expect(plain(markup)).toBe(text)
})
