// @defends secret-follows-address
import { describe, expect, it } from 'vitest'
import { BLANK_SECRET } from '#contract/credentials/credentials.ts'
import { givenHosts, isAllowedHost, normalHost, standardHosts } from '#contract/credentials/hosts.ts'
import { credentialDefinitions } from '../../nodes/catalogue.ts'
import { testOf } from './connection-test.ts'
import { requireDefinition } from './definitions.ts'
import { mergeFields } from './fields.ts'

const voyage = requireDefinition('voyageAIApi')
const STORED = { apiKey: 'the-key', endpoint: 'https://api.voyageai.com/v1/embeddings' }

describe('a stored secret', () => {
  it.each([
    ['another host', { endpoint: 'https://evil.example/v1/embeddings' }],
    ['another host, with the secret left blank', { endpoint: 'https://evil.example', apiKey: BLANK_SECRET }],
    ['another port', { endpoint: 'https://api.voyageai.com:8443/v1/embeddings' }],
    ['plain HTTP', { endpoint: 'http://api.voyageai.com/v1/embeddings' }],
    ['no address, which is the provider’s own', { endpoint: '' }],
  ])('must be entered again for %s', (_what, sent) => {
    expect(() => mergeFields(voyage, STORED, sent)).toThrow(
      'plainDataObj.apiKey: Enter Voyage AI API key again: Voyage AI endpoint is another one now, and a stored secret is not sent there',
    )
  })

  it.each([
    ['another path', { endpoint: 'https://api.voyageai.com/v2/embeddings' }],
    ['the same address', { endpoint: STORED.endpoint, apiKey: BLANK_SECRET }],
    ['nothing about the address', {}],
  ])('stays for %s', (_what, sent) => {
    expect(mergeFields(voyage, STORED, sent).apiKey).toBe('the-key')
  })

  it('is replaced together with the address', () => {
    const sent = { endpoint: 'https://proxy.example/v1', apiKey: 'another-key' }
    expect(mergeFields(voyage, STORED, sent)).toEqual(sent)
  })

  it('must be entered again for another instance', () => {
    const stored = { azureOpenAIApiKey: 'the-key', azureOpenAIApiInstanceName: 'ours' }
    const sent = { azureOpenAIApiInstanceName: 'theirs' }
    expect(() => mergeFields(requireDefinition('azureOpenAIApi'), stored, sent)).toThrow(/azureOpenAIApiKey: Enter/)
  })
})

/** Types whose secrets go where the component that uses them says. */
const ANYWHERE = [
  ...['httpApiKey', 'httpBasicAuth', 'httpBearerToken', 'oAuth2Api'],
  ...['localAIApi', 'ollamaApi', 'confluenceCloudApi', 'upstashRedisMemoryApi'],
  ...['chromaApi', 'milvusAuth', 'qdrantApi', 'supabaseApi', 'weaviateApi'],
]

describe('every type of credential', () => {
  it('names the hosts that its secrets are sent to, or is listed here', () => {
    const open = credentialDefinitions().filter(({ hosts }) => hosts === undefined)
    expect(open.map(({ name }) => name).sort()).toEqual([...ANYWHERE].sort())
    const named = credentialDefinitions().flatMap(({ hosts = [] }) => hosts)
    expect(named.filter((host) => normalHost(host.replace(/\{\w+\}/, 'x')) === undefined)).toEqual([])
  })

  it('is limited from the start where it has an address of its own', () => {
    const addressed = credentialDefinitions().filter(
      ({ inputs, oauth }) => !oauth && inputs.some(({ isAddress }) => isAddress),
    )
    expect(addressed.length).toBeGreaterThan(3)
    expect(addressed.filter((type) => standardHosts(type) === null).map(({ name }) => name)).toEqual([])
  })

  it('names the host that its connection test asks', () => {
    const asked = credentialDefinitions().flatMap((type) => {
      const { testHost } = testOf(type)
      return testHost ? [{ type, testHost }] : []
    })
    expect(asked.length).toBeGreaterThan(5)
    const isLeftOut = ({ type, testHost }: (typeof asked)[0]) =>
      !isAllowedHost(givenHosts(type, {}), new URL(`https://${testHost}`))
    expect(asked.filter(isLeftOut)).toEqual([])
  })
})

const NAMES_ADDRESS = /url|uri|endpoint|host|server|base.?path|domain|instance|region|site|issuer|address/i

/** Fields that are named like an address and are none. */
const NO_ADDRESS = new Map([['issuer', 'compared with what a provider says, and never called']])

it('fields of credentials that are named like an address are marked as one', () => {
  const fields = credentialDefinitions().flatMap(({ inputs }) => inputs)
  const suspects = fields.filter(({ name, label }) => NAMES_ADDRESS.test(name) || NAMES_ADDRESS.test(label))
  const unmarked = suspects.filter(({ isAddress, name }) => !isAddress && !NO_ADDRESS.has(name))
  expect(unmarked.map(({ name }) => name)).toEqual([])
  const names = suspects.map(({ name }) => name)
  for (const name of NO_ADDRESS.keys()) expect(names).toContain(name)
})
