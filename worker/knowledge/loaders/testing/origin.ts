/** Test helper: a loader's context over a scripted network behind the real egress, with a clock that only sleeps move. */
import { createEgress } from '../../../ports/egress.ts'
import { fakeNetwork } from '../../../ports/testing/fake-network.ts'
import type { LoaderContext, LoaderType, SourceContent, SourceItem } from '../../types.ts'
import { loaders } from '../index.ts'

type Values = Record<string, unknown>
export type Answers = Parameters<typeof fakeNetwork>[0]

export const loaderNamed = (name: string): LoaderType => {
  const loader = loaders.find(({ definition }) => definition.name === name)
  if (!loader) throw new Error(`There is no loader ${name}`)
  return loader
}

export function openOrigin(name: string, answers: Answers, config: Values = {}, credential: Values = {}) {
  const network = fakeNetwork(answers)
  const loader = loaderNamed(name)
  let now = Date.parse('2026-01-01T00:00:00Z')
  /** When each request was sent, in milliseconds since the first. */
  const times: number[] = []
  const begin = now
  const sleepers: { until: number; wake(): void }[] = []
  /** Wakes one after the other, the first first, so that each does what it waited for. */
  function wakeNext(): void {
    const next = sleepers.sort((a, b) => a.until - b.until).shift()
    if (!next) return
    now = Math.max(now, next.until)
    next.wake()
    setImmediate(wakeNext)
  }
  const sleepUntil = (until: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ until, wake })
      if (sleepers.length === 1) setImmediate(wakeNext)
    })
  const egress = createEgress({
    allowPrivateHosts: [],
    network(request) {
      times.push(now - begin)
      return network.fetch(request)
    },
  })
  const defaults = Object.fromEntries(loader.definition.inputs.map((input) => [input.name, input.default]))
  const context: LoaderContext = {
    config: { ...defaults, ...config },
    credential,
    egress,
    clock: {
      now: () => new Date(now),
      sleep: (ms) => sleepUntil(now + ms),
    },
    signal: new AbortController().signal,
    files: [],
    maxItems: 10_000,
  }

  /** Goes on with each cursor as text, as after a kill. */
  async function listAll(): Promise<SourceItem[]> {
    const items: SourceItem[] = []
    let cursor: string | undefined
    for (let parts = 0; parts < 2000; parts++) {
      const part = await loader.list(context, cursor)
      items.push(...part.items)
      cursor = part.cursor
      if (cursor === undefined) return items
    }
    throw new Error('It lists without an end')
  }
  const keys = async () => (await listAll()).map(({ key }) => key)
  const read = (item: SourceItem | string): Promise<SourceContent | undefined> =>
    loader.read(context, typeof item === 'string' ? { key: item, name: item } : item)
  const readText = async (item: SourceItem | string) =>
    (await read(item))?.documents.map(({ text }) => text).join('\n---\n')
  const urls = () => network.seen.map(({ url }) => url)
  return { loader, context, network, times, listAll, keys, read, readText, urls }
}

export const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), {
    ...init,
    headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
  })

export const html = (body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })
