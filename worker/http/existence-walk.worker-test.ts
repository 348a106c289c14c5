// @defends existence-told
/**
 * Calls every public route that takes ids twice: with those of another organization, whose flows, webhooks, links and
 * providers are closed in turn, and with ids of nothing. Who calls is no member and has no key there, so both answers are
 * the same. New routes are included automatically.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationsSchema, webhookSettingsSchema } from '#contract/triggers/settings.ts'
import { chatflows, executions, identityProviders, triggers } from '#db/schema/index.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { routes } from '../areas/index.ts'
import type { Route } from './route.ts'
import { tokenHash } from './session/secrets.ts'
import { nameOf } from './testing/calls.ts'
import { idOf, kinds, type Named, namings, ownKinds, requestOf } from './testing/kinds.ts'
import { OF_WALK, openWalk, type Walk, type Walker } from './testing/walkers.ts'

const ELSEWHERE = 'https://elsewhere.example'
const nothing = new Map(kinds.map((kind) => [kind, crypto.randomUUID()]))
const idOfNothing = (kind: string) => nothing.get(kind) as string

const isAsked = (route: Route, named: Named) =>
  JSON.stringify(requestOf(route, named)) !== JSON.stringify(requestOf(route, named, idOfNothing))
const pairs = routes
  .filter(({ access }) => access === 'public')
  .flatMap((route) => namings(route, []).map((named) => ({ route, named })))
  .filter(({ route, named }) => isAsked(route, named))

/** Why two answers may differ. */
const EXCEPTIONS: Record<string, string> = {
  'GET /chatflows-streaming/:id':
    'Flowise’s SDKs ask it without their key, and cannot read the answer of a flow that does not stream',
}

interface Closed {
  flow: Partial<typeof chatflows.$inferInsert>
  webhook: 'paused' | 'failing' | 'ended' | 'signed' | 'open'
}

const processed = JSON.stringify({ postProcessing: { enabled: true, customFunction: 'return 1' } })
const sites = JSON.stringify({ allowedOrigins: ['https://good.example'] })
const mcpServer = { toolName: 'tool', description: '', tokenHash: tokenHash('the token') }
const closed: Record<string, Closed> = {
  'for keys': { flow: { callers: 'keys', mcpServer: { ...mcpServer, enabled: true } }, webhook: 'paused' },
  'for members': {
    flow: { callers: 'members', chatbotConfig: processed, mcpServer: { ...mcpServer, enabled: false } },
    webhook: 'ended',
  },
  'for pages of a site': { flow: { callers: 'sites', chatbotConfig: sites }, webhook: 'signed' },
  'for one key': { flow: { callers: 'everyone', apikeyid: idOf('apikeys') }, webhook: 'failing' },
  'that takes no calls': { flow: { callers: 'keys', flowData: '{"nodes":' }, webhook: 'signed' },
}

let heddle: TestHeddle
let walk: Walk
let callers: Pick<Walker, 'name' | 'client'>[]
let flowData: string | undefined

beforeAll(async () => {
  heddle = await startTestHeddle({ ...OF_WALK, platformType: 'cloud' })
  walk = await openWalk(heddle)
  const known = walk.walkers.filter(({ name }) => ['stranger', 'admin', 'key'].includes(name))
  const withHeader = (headers: Record<string, string>) => () => {
    const client = heddle.newClient()
    return {
      fetch: (path: string, init: Parameters<typeof client.fetch>[1] = {}) =>
        client.fetch(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
    }
  }
  callers = [
    ...known,
    { name: 'page of another site', client: withHeader({ origin: ELSEWHERE }) },
    { name: 'wrong key', client: withHeader({ authorization: 'Bearer nonsense' }) },
  ]
})
afterAll(() => heddle.close())

async function close({ flow, webhook }: Closed): Promise<void> {
  const { database } = heddle
  flowData ??= (await database.select().from(chatflows))[0]?.flowData
  const answering = { flowData, apikeyid: null, chatbotConfig: null, mcpServer: null, isPublic: false }
  await database.update(chatflows).set({ ...answering, ...flow })
  await database.update(executions).set({ isPublic: false })
  await database.update(identityProviders).set({ isEnabled: false })
  const signature = webhook === 'signed' ? 'heddle' : 'none'
  await database.update(triggers).set({
    ...{ kind: 'webhook', nodeId: 'startAgentflow_0' },
    state: webhook === 'signed' || webhook === 'open' ? 'active' : webhook,
    settings: webhookSettingsSchema.parse({ kind: 'webhook', signature, input: { mode: 'text', text: 'A call' } }),
    operations: operationsSchema.parse({}),
  })
}

type Caller = (typeof callers)[number]

/** Returns what an answer says, without what differs between any two. */
async function answerTo(caller: Caller, { route, named }: (typeof pairs)[number], ids: (kind: string) => string) {
  const { path, json } = requestOf(route, named, ids)
  const response = await caller.client().fetch(path, { method: route.method, json, headers: walk.address() })
  const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  const text = JSON.stringify([response.status, headers, await response.text()])
  const hidden = kinds.reduce((said, kind) => said.replaceAll(ids(kind), `<${kind}>`), text)
  return hidden.replace(/(requestId\W+)[\w-]+/g, '$1').replace(/(session|state|nonce|challenge)=[^";\\]+/g, '$1=')
}

const toNothing = new Map<string, Promise<string>>()

/** What the caller is told of nothing, which stays the same. */
function answerOfNothing(caller: Caller, pair: (typeof pairs)[number]): Promise<string> {
  const name = `${caller.name} ${nameOf(pair.route)} ${pair.named.kind}`
  const answer = toNothing.get(name) ?? answerTo(caller, pair, idOfNothing)
  toNothing.set(name, answer)
  return answer
}

async function differencesFor(caller: Caller): Promise<string[]> {
  const compared = pairs.map(async (pair) => {
    const found = await answerTo(caller, pair, idOf)
    const unknown = await answerOfNothing(caller, pair)
    return found === unknown ? [] : [`${nameOf(pair.route)} [${pair.named.kind}]\n  ${found}\n  ${unknown}`]
  })
  return (await Promise.all(compared)).flat()
}

const seen = new Set<string>()

describe.each(Object.entries(closed))('a flow %s, a webhook that is closed, and what nobody shares', (_name, state) => {
  it('answer as what does not exist', async () => {
    await close(state)
    const told: string[] = []
    for (const caller of callers) {
      for (const difference of await differencesFor(caller)) {
        const name = difference.split(' [')[0] as string
        seen.add(name)
        if (!(name in EXCEPTIONS)) told.push(`${caller.name}: ${difference}`)
      }
    }
    expect(told).toEqual([])
  })
})

it('knows no exception that is none', () => {
  expect(Object.keys(EXCEPTIONS).filter((name) => !seen.has(name))).toEqual([])
})

/** Why an anonymous caller is told nothing of an open flow either. */
const UNSEEN: Record<string, string> = {
  'POST /chat/completions': 'takes a key',
  'GET /models/:id': 'takes a key',
  'POST /mcp': 'takes a key, and no id',
  'POST /mcp/:id': 'takes the token of the server',
  'GET /chatflows-streaming/:id': 'says of every flow that it streams',
  'GET /webhook/:id/deliveries/:deliveryId': 'takes the id of a delivery too',
}
const namesFlow = ({ path }: Route) => !/^\/(account|auth|node-icon)/.test(path)

it('sees an open flow by each route that names one', async () => {
  await close({ flow: { callers: 'everyone', isPublic: true }, webhook: 'open' })
  const anonymous = callers.find(({ name }) => name === 'stranger') as Caller
  const differing = (await differencesFor(anonymous)).map((difference) => difference.split(' [')[0])
  const named = pairs.filter(({ route }) => ownKinds(route)[0] === 'chatflows' && namesFlow(route))
  const unseen = named.map(({ route }) => nameOf(route)).filter((name) => !differing.includes(name))
  expect([...new Set(unseen)].toSorted()).toEqual(Object.keys(UNSEEN).toSorted())
})
