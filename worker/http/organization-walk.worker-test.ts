// @defends organization-people-rights
// @defends organization-provider-account
/**
 * Calls every route with the ids of another organization: of its people, workspaces, roles, invitations, identity
 * providers, domains, sessions, emails and records, and of everything in its workspace, each of which has its own. The
 * callers have nothing to do with it, or are in it and have nothing to do with that workspace, or may do little there.
 * New routes and tables are included automatically.
 *
 * `npm test` leaves out callers whom `route-walk.worker-test.ts` sees refused on that route before anything is read, and
 * tries one kind of wrong id; `npm run test:deep` tries every caller with every kind of id on every route.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byDepth } from '#worker/local/testing/depth.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { routes } from '../areas/index.ts'
import type { Route } from './route.ts'
import { nameOf } from './testing/calls.ts'
import { NOT_ON_SEED } from './testing/examples.ts'
import { kinds, type Named, namings, requestOf } from './testing/kinds.ts'
import { isForPeople, OF_WALK, openWalk, type Walk, type Walker } from './testing/walkers.ts'

const isDeep = byDepth(0, 1) === 1
const IN_PARALLEL = 16

/** Whoever called them has no session left. They come last. */
const ENDS = [
  ...['DELETE /account/sign-in-methods', 'DELETE /account/sessions', 'POST /workspaces/:id/leave'],
  ...['POST /account/leave', 'POST /auth/refreshToken', 'POST /account/logout'],
]
const isEnd = (route: Route) => ENDS.includes(nameOf(route))
const PER_PART = 30
const parts = routes
  .filter((route) => !isEnd(route))
  .reduce<Route[][]>((all, route) => {
    const last = all.at(-1)
    if (!last || last.length >= PER_PART) all.push([route])
    else last.push(route)
    return all
  }, [])
  .map((part) => ({ from: nameOf(part[0] as Route), to: nameOf(part.at(-1) as Route), part }))

/** Routes of what an organization has: in the walk of workspaces, where it has none of it, they answer 404. */
const isOfOrganization = (route: Route) => route.path.includes(':') && NOT_ON_SEED[nameOf(route)]?.status === 404

interface Call extends Named {
  walker: Walker
  route: Route
}

interface Answered extends Call {
  status: number
  text: string
}

describe.each(['cloud', 'enterprise', 'open source'])('an installation of type %s', (platformType) => {
  let heddle: TestHeddle
  let walk: Walk
  /** Open source has one organization, and no routes for several. */
  const unfound = platformType === 'open source' ? [403, 404] : [404]
  let sent = 0

  beforeAll(async () => {
    heddle = await startTestHeddle({ ...OF_WALK, platformType })
    walk = await openWalk(heddle)
  })
  afterAll(async () => {
    if (isDeep) console.log(`${platformType}: ${sent} calls`)
    await heddle.close()
  })

  /**
   * Types of installations differ in whom they let in, which those find who are everywhere. Open source has one workspace,
   * whose members all have every right.
   */
  const isTried = ({ tier, name }: Walker) => {
    if (platformType === 'open source' && ['member elsewhere', 'viewer'].includes(name)) return false
    return isDeep || platformType === 'cloud' || tier === 'everywhere'
  }

  /** One walker is enough to see an id of a wrong kind refused: whose it is, is asked first. */
  function callsOf(route: Route): Call[] {
    const walkers = walk.walkers.filter((walker) => isTried(walker) && (isDeep || walker.reaches(route)))
    const isMisled = ({ name }: Walker) => platformType === 'cloud' && ['stranger', 'admin'].includes(name)
    return walkers.flatMap((walker) => {
      const usual = isMisled(walker) ? [kinds[(routes.indexOf(route) * 7) % kinds.length] as string] : []
      return namings(route, isDeep ? kinds : usual).map((named) => ({ ...named, walker, route }))
    })
  }

  async function send(call: Call): Promise<Answered> {
    const { walker, route } = call
    const { path, json } = requestOf(route, call)
    const response = await walker.client().fetch(path, { method: route.method, json, headers: walk.address() })
    sent++
    return { ...call, status: response.status, text: await response.text() }
  }

  const isUnfound = ({ walker, route, isWrong, status }: Answered) => {
    if (walker.name === 'limited' && route.access === 'account') return status === 403
    if (isWrong || !isOfOrganization(route)) return true
    if (walker.name === 'limited') return [403, 404].includes(status)
    return walker.name !== 'admin' || unfound.includes(status)
  }

  /** Returns what is wrong with the answer. */
  function faultsOf(answered: Answered): string[] {
    const { walker, route, kind, status, text } = answered
    const isSignedOut = status === 401 && walker.isSession && isForMembers(route) && !isEnd(route)
    const faults = [
      ...walker.blindTo.filter((mark) => text.includes(mark)).map((mark) => `is shown what ${mark}`),
      ...(status >= 500 || (status === 429 && !isCounted(route)) ? ['is not answered'] : []),
      ...(isSignedOut ? ['is signed out'] : []),
      ...(isUnfound(answered) ? [] : ['finds something']),
    ]
    return faults.map((fault) => `${walker.name} ${fault}: ${nameOf(route)} [${kind}] ${status} ${text.slice(0, 300)}`)
  }

  /** Makes the calls, and returns what is wrong with their answers and what they changed without a right. */
  async function faultsIn(calls: Call[]): Promise<string[]> {
    if (calls.length === 0) return []
    const faults: string[] = []
    let areRight = false
    for (let at = 0; at < calls.length; at += IN_PARALLEL) {
      const answers = await Promise.all(calls.slice(at, at + IN_PARALLEL).map(send))
      faults.push(...answers.flatMap(faultsOf))
      areRight ||= answers.some(
        ({ walker, route, status }) => status < 300 && walker.mayChange(route) && isChange(route),
      )
    }
    const changed = await walk.changedTables()
    return areRight ? faults : [...faults, ...changed.map((table) => `${table} of another organization changed`)]
  }

  async function expectNothing(calls: Call[]): Promise<void> {
    const mayChange = ({ walker, route }: Call) => walker.mayChange(route)
    const faults = await faultsIn(calls.filter((call) => !mayChange(call)))
    expect([...faults, ...(await faultsIn(calls.filter(mayChange)))]).toEqual([])
  }

  it('the walk seeds a row in every table of the other organization', () => {
    expect(walk.emptyTables).toEqual([])
  })

  it.each(parts)('shows, finds and changes nothing of another organization from $from to $to', async ({ part }) => {
    await walk.renewSessions()
    await expectNothing(part.flatMap(callsOf))
  })

  it.runIf(platformType === 'cloud')('its own admin finds a row by each id', async () => {
    const reading = routes.filter((route) => !isChange(route) && isForMembers(route) && route.path.includes(':'))
    const unread = reading.map(async (route) => {
      const { path } = requestOf(route, namings(route, [])[0] as Named)
      const { ok, status } = await walk.own.fetch(path, { headers: walk.address() })
      return ok || NOT_ON_SEED[nameOf(route)]?.status === status ? [] : [`${nameOf(route)} ${status}`]
    })
    expect((await Promise.all(unread)).flat()).toEqual([])
  })

  it.each(ENDS)('%s ends nothing of another organization', async (name) => {
    await expectNothing(routes.filter((route) => nameOf(route) === name).flatMap(callsOf))
  })
})

/** What a person may try but a few times, wherever they are. */
const COUNTED = ['POST /account/email', 'PUT /account/password', 'POST /auth/confirm']
const isCounted = (route: Route) => COUNTED.includes(nameOf(route))
const isChange = ({ method }: Route) => method !== 'GET'
const isForMembers = (route: Route) => isForPeople(route) && route.access !== 'public'
