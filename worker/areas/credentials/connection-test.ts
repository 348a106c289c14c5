/** Tries a credential with one cheap request, and says in words what came of it. Never repeats what a service answered. */
import type * as z from 'zod'
import type { ConnectionTest, testCredentialSchema } from '#contract/credentials/credentials.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { guardOf } from '../../components/credentials.ts'
import { mayUse } from '../../http/permission.ts'
import type { Member } from '../../http/route.ts'
import { findCredentialType } from '../../nodes/catalogue.ts'
import { readFreshFields } from '../../oauth/stored-tokens.ts'
import { authorization } from '../../providers/authorization.ts'
import type { Services } from '../../services.ts'
import { requireDefinition } from './definitions.ts'
import { checkFields, type Fields, mergeFields, withoutEmpty } from './fields.ts'
import { openStored } from './store.ts'

interface Probe {
  /** Who answers. */
  service: string
  url: string | ((fields: Fields) => string)
  headers(fields: Fields): Record<string, string>
}

const bearer = (field: string) => (fields: Fields) => ({ authorization: `Bearer ${fields[field]}` })

/** Lists the models or indexes: every provider answers that without cost. */
const PROBES: Record<string, Probe> = {
  openAIApi: { service: 'OpenAI', url: 'https://api.openai.com/v1/models', headers: bearer('openAIApiKey') },
  anthropicApi: {
    service: 'Anthropic',
    url: 'https://api.anthropic.com/v1/models',
    headers: ({ anthropicApiKey = '' }) => ({ 'x-api-key': anthropicApiKey, 'anthropic-version': '2023-06-01' }),
  },
  googleGenerativeAI: {
    service: 'Google',
    url: 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1',
    headers: ({ googleGenerativeAPIKey = '' }) => ({ 'x-goog-api-key': googleGenerativeAPIKey }),
  },
  mistralAIApi: { service: 'Mistral', url: 'https://api.mistral.ai/v1/models', headers: bearer('mistralAIAPIKey') },
  cohereApi: {
    service: 'Cohere',
    url: 'https://api.cohere.com/v1/models?page_size=1',
    headers: bearer('cohereApiKey'),
  },
  cloudflareWorkersAI: {
    service: 'Cloudflare',
    url: ({ cloudflareWorkersAccountID = '' }) =>
      `https://api.cloudflare.com/client/v4/accounts/${encodeURIComponent(cloudflareWorkersAccountID)}/ai/models/search?per_page=1`,
    headers: bearer('cloudflareWorkersAIKey'),
  },
  pineconeApi: {
    service: 'Pinecone',
    url: 'https://api.pinecone.io/indexes',
    headers: ({ pineconeApiKey = '' }) => ({ 'api-key': pineconeApiKey, 'x-pinecone-api-version': '2025-04' }),
  },
  githubApi: { service: 'GitHub', url: 'https://api.github.com/user', headers: bearer('accessToken') },
  notionApi: {
    service: 'Notion',
    url: 'https://api.notion.com/v1/users/me',
    headers: ({ notionApi = '' }) => ({ authorization: `Bearer ${notionApi}`, 'notion-version': '2022-06-28' }),
  },
  groqApi: { service: 'Groq', url: 'https://api.groq.com/openai/v1/models', headers: bearer('groqApiKey') },
}

/** Types that say nothing of where they are used: the person names an address. */
const NAMED: Record<string, (fields: Fields) => Record<string, string>> = {
  openAIApi: bearer('openAIApiKey'),
  ollamaApi: bearer('ollamaApiKey'),
  localAIApi: bearer('localAIApiKey'),
  qdrantApi: ({ qdrantApiKey = '' }) => ({ 'api-key': qdrantApiKey }),
  weaviateApi: bearer('weaviateApiKey'),
  chromaApi: ({ chromaApiKey = '' }) => ({ 'x-chroma-token': chromaApiKey }),
  supabaseApi: ({ supabaseApiKey = '' }) => ({ apikey: supabaseApiKey, authorization: `Bearer ${supabaseApiKey}` }),
  ...Object.fromEntries(
    ['httpBasicAuth', 'httpBearerToken', 'httpApiKey'].map((name) => [
      name,
      (fields: Fields) => Object.fromEntries(authorization(fields)),
    ]),
  ),
}

/** Returns how a type can be tested and which host gets its secrets. Empty when it cannot be tested. */
export function testOf({ name, oauth }: CredentialDefinition): Pick<CredentialDefinition, 'test' | 'testHost'> {
  const probe = Object.hasOwn(PROBES, name) ? PROBES[name] : undefined
  const isNamed = oauth || Object.hasOwn(NAMED, name)
  if (!probe) return isNamed ? { test: 'url' } : {}
  const { host } = new URL(typeof probe.url === 'string' ? probe.url : probe.url({}))
  return { test: isNamed ? 'either' : 'provider', testHost: host }
}

const LIMITS = { timeoutMs: 15_000, maxBytes: 4 * 1024 * 1024 }

/** Who may send a stored secret to an address of their own: those who may build a flow that does so. */
const BUILDERS = 'chatflows:create,chatflows:update,agentflows:create,agentflows:update'

export async function testCredential(
  services: Services,
  member: Member,
  { id, credentialName, plainDataObj = {}, url }: z.infer<typeof testCredentialSchema>,
): Promise<ConnectionTest> {
  const definition = requireDefinition(credentialName)
  const probe = findProbe(definition, url)
  if (url !== undefined && !mayUse({ permission: BUILDERS }, member, services.config.platformType))
    throw new HeddleError('forbidden', 'To test with an address of your own you need the permission to edit flows.')
  const { egress } = services.openOutside(member.workspaceId)
  try {
    const fields = id
      ? await storedFields(services, member, { id, definition, plainDataObj, egress })
      : checkFields(definition, withoutEmpty(plainDataObj))
    const address = typeof probe.url === 'string' ? probe.url : probe.url(fields)
    const response = await egress.fetch(address, { headers: probe.headers(fields), redirect: 'manual' }, LIMITS)
    response.body?.cancel().catch(() => {})
    return verdict(probe.service, response.status)
  } catch (error) {
    if (error instanceof HeddleError) throw error
    return { ok: false, message: errorMessage(error) }
  }
}

function findProbe(definition: CredentialDefinition, url: string | undefined): Probe {
  const { name, label, oauth } = definition
  const named = oauth ? (fields: Fields) => Object.fromEntries(authorization(fields)) : NAMED[name]
  if (url !== undefined && named) return { service: new URL(url).host, url, headers: named }
  const probe = Object.hasOwn(PROBES, name) ? PROBES[name] : undefined
  if (probe) return probe
  if (named) throw new HeddleError('bad_request', `url: Name an address to test ${label} with`, { field: 'url' })
  throw new HeddleError('bad_request', `${label} cannot be tested here. Run a flow that uses it.`)
}

interface StoredTest {
  id: string
  definition: CredentialDefinition
  plainDataObj: Fields
  egress: ReturnType<Services['openOutside']>['egress']
}

/** Returns the stored fields with what the form has changed. */
async function storedFields(services: Services, member: Member, test: StoredTest): Promise<Fields> {
  const { id, definition, plainDataObj, egress } = test
  const { row, fields, wrappedKey } = await openStored(services, member, id)
  if (row.credentialName !== definition.name)
    throw new HeddleError('bad_request', 'credentialName: The credential is of another type', {
      field: 'credentialName',
    })
  const { db, cipher, clock } = services
  const context = { db, cipher, clock, tenant: { workspaceId: member.workspaceId }, wrappedKey, egress }
  const tested = definition.oauth
    ? await readFreshFields(context, row, findCredentialType(row.credentialName))
    : checkFields(definition, mergeFields(definition, fields, plainDataObj))
  egress.guard(guardOf(row, definition, tested))
  return tested
}

function verdict(service: string, status: number): ConnectionTest {
  const failed = (message: string) => ({ ok: false, status, message })
  if (status >= 200 && status < 300) return { ok: true, status, message: `${service} accepts it.` }
  if (status === 401 || status === 403)
    return failed(`${service} refused it (${status}). Check that it is complete and still valid, or make a new one.`)
  if (status === 429)
    return failed(`${service} knows it but limits its use (429). Check your plan, or try again in a minute.`)
  if (status >= 500) return failed(`${service} has a problem of its own (${status}). Try again later.`)
  if (status >= 300 && status < 400)
    return failed(`${service} redirects to another address (${status}). Name that address instead.`)
  return failed(`${service} responded with ${status}. Check the address.`)
}
