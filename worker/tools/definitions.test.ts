import { describe, expect, it } from 'vitest'
import { httpCredentialNames } from '../providers/http-credentials.ts'
import { toolNamed } from './testing/tools.ts'

/** Each component in flow files: version, credential type with its fields, inputs with their defaults. */
const known: [name: string, version: number, credential: Record<string, string[]>, inputs: Record<string, unknown>][] =
  [
    ['braveSearchAPI', 1, { braveSearchApi: ['braveApiKey'] }, {}],
    ['serper', 1, { serperApi: ['serperApiKey'] }, {}],
    ['serpAPI', 1, { serpApi: ['serpApiKey'] }, {}],
    ['googleCustomSearch', 1, { googleCustomSearchApi: ['googleCustomSearchApiKey', 'googleCustomSearchApiId'] }, {}],
    ['wolframAlpha', 1, { wolframAlphaAppId: ['wolframAlphaAppId'] }, {}],
    [
      'tavilyAPI',
      1.2,
      { tavilyApi: ['tavilyApiKey'] },
      {
        topic: 'general',
        searchDepth: 'basic',
        chunksPerSource: 3,
        maxResults: 5,
        timeRange: undefined,
        days: 7,
        includeAnswer: false,
        includeRawContent: false,
        includeImages: false,
        includeImageDescriptions: false,
        includeDomains: undefined,
        excludeDomains: undefined,
      },
    ],
    [
      'exaSearch',
      1.1,
      { exaSearchApi: ['exaSearchApiKey'] },
      {
        description: expect.any(String),
        numResults: undefined,
        type: undefined,
        useAutoprompt: undefined,
        category: undefined,
        includeDomains: undefined,
        excludeDomains: undefined,
        startCrawlDate: undefined,
        endCrawlDate: undefined,
        startPublishedDate: undefined,
        endPublishedDate: undefined,
      },
    ],
    [
      'searXNG',
      3,
      {},
      {
        apiBase: 'http://localhost:8080',
        toolName: 'searxng-search',
        toolDescription: expect.any(String),
        headers: undefined,
        format: 'json',
        categories: undefined,
        engines: undefined,
        language: undefined,
        pageno: undefined,
        time_range: undefined,
        safesearch: undefined,
      },
    ],
    [
      'arxiv',
      1,
      {},
      {
        arxivName: 'arxiv_search',
        arxivDescription: expect.any(String),
        topKResults: '3',
        maxQueryLength: '300',
        docContentCharsMax: '10000',
        loadFullContent: false,
        continueOnFailure: false,
        legacyBuild: false,
      },
    ],
    [
      'webScraperTool',
      1.1,
      {},
      { scrapeMode: 'recursive', maxDepth: 1, maxPages: 10, timeoutS: 60, description: undefined },
    ],
    ['jsonPathExtractor', 1, {}, { path: undefined, returnNullOnError: false }],
    [
      'openAPIToolkit',
      2.1,
      // Flow files reference none: HTTP requests define these types.
      Object.fromEntries(httpCredentialNames.map((name) => [name, []])),
      {
        inputType: 'file',
        openApiFile: undefined,
        openApiLink: undefined,
        selectedServer: undefined,
        selectedEndpoints: undefined,
        returnDirect: undefined,
        headers: undefined,
        removeNulls: undefined,
        customCode: undefined,
      },
    ],
  ]

describe.each(known)('the definition of %s', (name, version, credential, inputs) => {
  const { definition, credential: type } = toolNamed(name)

  it('has the version, inputs and defaults that flow files expect', () => {
    expect(definition).toMatchObject({ version, category: 'Tools' })
    expect(definition.inputs.map((input) => input.name)).toEqual(Object.keys(inputs))
    expect(Object.fromEntries(definition.inputs.map((input) => [input.name, input.default]))).toEqual(inputs)
  })

  it('uses the credential type that flow files reference', () => {
    expect(definition.credential?.credentialNames ?? []).toEqual(Object.keys(credential))
    const [fields = []] = Object.values(credential)
    expect(type?.inputs.map((input) => input.name) ?? []).toEqual(fields)
  })
})
