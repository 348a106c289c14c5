// @defends credential-other-host
/** Every component that takes a credential sends its secret to the hosts of the credential, and nowhere else. */
import { describe, expect, it } from 'vitest'
import { givenHosts, standardHosts } from '#contract/credentials/hosts.ts'
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/params/definition.ts'
import { rerankers } from '../knowledge/rerankers/index.ts'
import { synthesizers, transcribers } from '../models/speech/index.ts'
import { componentDefinitions, credentialDefinitions, findCredentialType } from '../nodes/catalogue.ts'
import type { ComponentTypes } from '../nodes/chatflow/component-types.ts'
import { catalogue } from '../nodes/registry.ts'
import { runStep } from '../nodes/testing/steps.ts'
import type { ChatNodeType, ConnectedComponent, NodeType, StepContext } from '../nodes/types.ts'
import { createEgress } from '../ports/egress.ts'
import type { GuardedEgress } from '../ports/types.ts'
import { credentialSecrets, guardOf } from './credentials.ts'

type Values = Record<string, unknown>

interface User {
  name: string
  types: string[]
  /** Inputs that could name an address. */
  addresses: string[]
  /** Makes it send a request with its secret. */
  use(call: { config: Values; credential: Values; egress: GuardedEgress }): Promise<unknown>
}

const OWN = 'https://own.example/v1'
/** Where components look by default for servers of one's own. */
const LOCAL = ['localhost:11434', '127.0.0.1:8000', 'localhost:8000']
const THIEF = 'https://thief.example/v1'

/** The address of each type whose secret goes where its fields say. */
const ADDRESS_FIELDS: Values = {
  UPSTASH_VECTOR_REST_URL: 'https://mine.upstash.example',
  upstashConnectionUrl: 'https://mine.upstash.example',
  endpoint: '',
  azureOpenAIApiVersion: '2024-10-21',
}

function fieldsOf({ inputs, oauth }: CredentialDefinition): Values {
  const fields = inputs.map(({ name, type }) => [
    name,
    ADDRESS_FIELDS[name] ?? (type === 'password' ? `secret-of-${name}` : `x-${name}`),
  ])
  return { ...Object.fromEntries(fields), ...(oauth && { access_token: 'secret-of-the-connection' }) }
}

/** What a component needs besides the first choice, or any text, for each required input. */
const SETTINGS: Record<string, Values> = {
  httpAgentflow: { method: 'GET', url: OWN },
  openAPIToolkit: {
    inputType: 'file',
    openApiFile: JSON.stringify({
      openapi: '3.0.0',
      servers: [{ url: OWN }],
      paths: { '/': { get: { operationId: 'read' } } },
    }),
  },
  gmail: { gmailType: 'labels', labelActions: ['listLabels'] },
  github: { repoLink: 'https://github.com/acme/docs' },
  notionPage: { notionPageId: '59833787-2cf9-4fdf-8782-e53db20768a5' },
  notionDB: { databaseId: '59833787-2cf9-4fdf-8782-e53db20768a5' },
  googleDrive: { folderId: 'root1' },
  weaviate: { weaviateIndex: 'Handbook' },
  huggingFaceInference_LLMs: { model: 'acme/model' },
  replicate: { model: 'acme/model' },
  cloudflareWorkersAIEmbeddings: { modelName: '@cf/baai/bge-m3' },
}

/** Matches inputs that could name an address; `NO_ADDRESS` has those that do not. */
const NAMES_ADDRESS = /url|uri|path|host|endpoint|server|address|link|domain|region/i
const NO_ADDRESS = ['ignorePath', 'includeDomains', 'excludeDomains']

/** What is set besides the address, or in its place. */
const THEFTS: Record<string, Values> = {
  endpointHost: { endpointHost: 'thief.example' },
  openApiLink: { inputType: 'link', openApiLink: THIEF },
}
/** Inputs that take the secret nowhere: another host is refused as no value, or is asked without it. */
const HARMLESS = ['repoLink', 'region', 'openApiLink']

const isAddress = ({ name, type }: ComponentDefinition['inputs'][number]) =>
  ['string', 'asyncOptions'].includes(type) && NAMES_ADDRESS.test(name) && !NO_ADDRESS.includes(name)

function settingsOf({ name, inputs }: ComponentDefinition): Values {
  const required = inputs.filter(({ optional, default: standard }) => !optional && standard === undefined)
  const values = required.map((input) => [input.name, isAddress(input) ? OWN : (input.options?.[0]?.name ?? 'x-1')])
  return { modelName: 'model-1', ...Object.fromEntries(values), ...SETTINGS[name] }
}

const node: StepContext['node'] = { id: 'other_0', name: 'other', label: 'Other' }
const found = [1, 2].map((id) => ({ id: String(id), pageContent: `Text ${id}`, metadata: {} }))
/** What a component is connected to, by input. */
const CONNECTED: Record<string, ConnectedComponent> = {
  embeddings: {
    node,
    type: 'embeddings',
    value: { embed: async () => ({ vectors: [[1, 2]], tokens: 1 }), maxBatch: 1, identity: 'i' },
  },
  baseRetriever: { node, type: 'retriever', value: { search: async () => found } },
}

/** Uses a component for what it is there for. */
const WAYS: { [Type in keyof ComponentTypes]?: (component: ComponentTypes[Type]) => Promise<unknown> } = {
  model: ({ open }) =>
    Promise.resolve(open.model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] })),
  embeddings: ({ embed }) => embed(['one'], 'query', new AbortController().signal),
  tools: ([tool]) => (tool ? tool.call({ input: 'x', query: 'x' }, 'key') : Promise.reject(new Error('No tool'))),
  memory: ({ read }) => read(undefined),
  moderation: ({ refusal }) => refusal('x'),
  cache: ({ get }) => get('x'),
  retriever: ({ search }) => search('x'),
  documents: ({ load }) => load(),
}

const nodeUsers = componentDefinitions()
  .filter(({ name, credential }) => credential && !rerankers.some(({ definition }) => definition.name === name))
  .map((definition): User => {
    const found = catalogue.node(definition.name) ?? catalogue.component(definition.name)
    if (!found) throw new Error(`There is no node ${definition.name}`)
    return {
      name: definition.name,
      types: definition.credential?.credentialNames ?? [],
      addresses: definition.inputs.filter(isAddress).map(({ name }) => name),
      use: ({ config, credential, egress }) =>
        runStep(
          asNode(found as ChatNodeType),
          { ...settingsOf(definition), ...config },
          {
            credential,
            egress,
            output: 'retriever',
            connected: async (input) => (CONNECTED[input] ? [CONNECTED[input]] : []),
          },
        ),
    }
  })

/** A node that provides a component, as one that uses it. */
function asNode(own: ChatNodeType): NodeType {
  const { provide } = own
  if (!provide) return own
  return {
    ...own,
    async run(context) {
      const { type, value } = await provide(context)
      const way = WAYS[type as keyof ComponentTypes] as ((value: unknown) => Promise<unknown>) | undefined
      if (!way) throw new Error(`Say how a component of type ${type} is used`)
      await way(value)
      return { input: '', output: {} }
    },
  }
}

const rerankerUsers = rerankers
  .filter(({ definition }) => definition.credential)
  .map(
    ({ definition, rerank }): User => ({
      name: definition.name,
      types: definition.credential?.credentialNames ?? [],
      addresses: definition.inputs.filter(isAddress).map(({ name }) => name),
      use: ({ config, credential, egress }) =>
        rerank(
          {
            config: { ...settingsOf(definition), ...config },
            credential,
            egress,
            clock: { now: () => new Date(0), sleep: async () => {} },
            signal: new AbortController().signal,
            openModel: () => Promise.reject(new Error('No model')),
          },
          'which?',
          ['one', 'two'],
        ),
    }),
  )

const recording = { name: 'a.wav', mime: 'audio/wav', bytes: new Uint8Array(4) }
/** The settings of a flow's speech that name an address. */
const SPEECH_ADDRESSES: Record<string, string[]> = { localAISTT: ['baseUrl'], openai: ['baseUrl'] }
const speechUsers = [
  ...transcribers.map(({ name, credentialType, transcribe }) => ({
    ...{ name, credentialType },
    speak: (call: Parameters<typeof transcribe>[1]) => transcribe(recording, call),
  })),
  ...synthesizers.map(({ name, credentialType, speak }) => ({
    ...{ name, credentialType },
    speak: (call: Parameters<typeof speak>[1]) => speak('Hello', call),
  })),
].map(
  ({ name, credentialType, speak }): User => ({
    name: `${name} (speech)`,
    types: [credentialType],
    addresses: SPEECH_ADDRESSES[name] ?? [],
    use: ({ config, credential, egress }) => {
      const standard = name === 'localAISTT' ? { baseUrl: OWN } : {}
      return speak({ settings: { ...standard, ...config }, credential, egress, sleep: async () => {} })
    },
  }),
)

const users = [...nodeUsers, ...rerankerUsers, ...speechUsers]
const uses = users.flatMap((user) => user.types.map((type) => ({ ...user, type })))

/** Some components say before it what they were about to do. */
const refusal = (host: string) =>
  expect.stringContaining(
    `The credential “Team key” may not be sent to ${host}. If this host should get it, open Credentials and add it to the credential’s hosts.`,
  )

interface Limit {
  /** Besides those of its type and its addresses; null: any. */
  hosts: string[] | null
  /** In place of all of them. */
  only?: string[]
}

/** Uses a component with a credential of the type. Returns which hosts its secret reached, and what went wrong. */
async function send({ name, type, use }: (typeof uses)[number], { hosts, only }: Limit, theft?: Values) {
  const definition = findCredentialType(type) as CredentialDefinition
  const credential = fieldsOf(definition)
  const secrets = credentialSecrets(definition, credential)
  const seen: { host: string; isSecret: boolean }[] = []
  const egress = createEgress({
    allowPrivateHosts: LOCAL,
    async network(request) {
      const headers = [...request.headers].map(([, value]) => `${value} ${basic(value)}`).join(' ')
      const text = `${decodeURIComponent(request.url)} ${headers} ${await request.text()}`
      seen.push({ host: new URL(request.url).host, isSecret: secrets.some((secret) => text.includes(secret)) })
      return new Response('{"message":"Not here"}', { status: 400 })
    },
  })
  egress.guard({ ...guardOf({ name: 'Team key', hosts }, definition, credential), ...(only && { hosts: only }) })
  const [provider] = givenHosts(definition, credential)
  const request = name === 'httpAgentflow' && provider && { url: `https://${provider.replace('*', 'api')}/v1` }
  const config = { ...request, ...theft }
  const failure = await use({ config, credential, egress }).then(
    () => '',
    (error: unknown) => String(error),
  )
  return { failure, hosts: [...new Set(seen.filter(({ isSecret }) => isSecret).map(({ host }) => host))] }
}

const basic = (value: string) => (value.startsWith('Basic ') ? atob(value.slice('Basic '.length)) : '')

/** Hosts that the settings of a component name here: a credential gets them only by name. */
const CONFIGURED = ['own.example', ...LOCAL]

describe.each(uses)('$name with a credential of type $type', (use) => {
  const known = standardHosts(findCredentialType(use.type) as CredentialDefinition)
  const standard = known ?? []

  it('sends its secret to the hosts of the credential', async () => {
    const anywhere = await send(use, { hosts: null })
    expect(anywhere.hosts, anywhere.failure).toHaveLength(1)
    const [host = ''] = anywhere.hosts
    const isNamed = !known || CONFIGURED.includes(host)
    expect(await send(use, { hosts: isNamed ? [...standard, host] : standard })).toEqual(anywhere)
    const refused = { hosts: [], failure: refusal(host) }
    if (isNamed) expect(await send(use, { hosts: standard })).toEqual(refused)
    expect(await send(use, { hosts: [], only: ['other.example'] })).toEqual(refused)
  })

  it.each(use.addresses)('does not send it where %s says otherwise', async (input) => {
    const { hosts, failure } = await send(
      use,
      { hosts: [...standard, 'own.example'] },
      THEFTS[input] ?? { [input]: THIEF },
    )
    expect(hosts.filter((host) => host !== 'own.example')).toEqual([])
    if (!HARMLESS.includes(input)) expect(failure).toEqual(refusal('thief.example'))
  })
})

it('each type of credential is in the table', () => {
  const used = uses.map(({ type }) => type)
  expect(credentialDefinitions().flatMap(({ name }) => (used.includes(name) ? [] : [name]))).toEqual([])
})
