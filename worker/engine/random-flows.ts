/** For tests: random flows, and a reference that says in the simplest way what must run in them. */
import fc from 'fast-check'
import type { FlowDocument } from '#contract/flow/document.ts'
import { graphOf, reach, topologicalOrder } from '#contract/flow/graph.ts'
import { ERROR_OUTPUT } from '#contract/flow/policy.ts'
import { drawFlow } from './testing.ts'

type Kind = 'step' | 'choose' | 'humanInput' | 'loop' | 'iteration'

interface RandomNode {
  id: string
  kind: Kind
  /** The iteration in which it lies. */
  parentNode?: string
  join: 'all' | 'any'
  /** Fails in some of its occurrences, and goes on at its error branch. */
  breaks: boolean
  loopsTo: string
  maxLoopCount: number
  items: number
  atOnce: number
}

export interface RandomFlow {
  nodes: RandomNode[]
  arrows: string[]
  flow: FlowDocument
  hasAny: boolean
}

const spec = (kinds: fc.WeightedArbitrary<Kind>[], joins: ('all' | 'any')[]) =>
  fc.record({
    kind: fc.oneof(...kinds),
    place: fc.nat(5),
    parents: fc.array(fc.record({ back: fc.nat(6), output: fc.integer({ min: -1, max: 2 }) }), { maxLength: 3 }),
    join: fc.constantFrom(...joins),
    breaks: fc.boolean(),
    target: fc.nat(30),
    maxLoopCount: fc.integer({ min: 1, max: 3 }),
    items: fc.nat(3),
    atOnce: fc.constantFrom(1, 3),
  })

const weighted = (weights: Partial<Record<Kind, number>>) =>
  Object.entries(weights).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as Kind) }))

/** Flows of these kinds of nodes; each node has edges only to later ones of the same container. */
export function randomFlows(weights: Partial<Record<Kind, number>>, joins: ('all' | 'any')[] = ['all']) {
  return fc.array(spec(weighted(weights), joins), { minLength: 1, maxLength: 13 }).map(draw)
}

type Spec = ReturnType<typeof spec> extends fc.Arbitrary<infer One> ? One : never

function draw(specs: Spec[]): RandomFlow {
  const members = new Map<string | undefined, RandomNode[]>([[undefined, [start]]])
  const arrows: string[] = []
  for (const [index, one] of specs.entries()) {
    // Most nodes lie in the flow itself or in the container that was drawn last.
    const parentNode = one.place < 3 ? undefined : [...members.keys()].at(-1)
    const siblings = members.get(parentNode) ?? []
    const node: RandomNode = {
      ...one,
      id: `${one.kind}_${index}`,
      parentNode,
      loopsTo: '',
      breaks: one.breaks && one.kind === 'step',
    }
    const parents = parentNode === undefined && one.parents.length === 0 ? [{ back: 0, output: 0 }] : one.parents
    for (const { back, output } of siblings.length > 0 ? parents : []) {
      arrows.push(arrow(siblings[Math.max(0, siblings.length - 1 - back)] as RandomNode, output, node))
    }
    siblings.push(node)
    if (node.kind === 'iteration') members.set(node.id, [])
  }
  const nodes = [...members.values()].flat()
  for (const [index, { target }] of specs.entries()) {
    const node = nodes.find(({ id }) => id.endsWith(`_${index}`) && id !== 'start_0') as RandomNode
    const siblings = members.get(node.parentNode) as RandomNode[]
    node.loopsTo = siblings[target % siblings.length]?.id ?? ''
  }
  return { nodes, arrows, flow: document(nodes, arrows), hasAny: nodes.some(({ join }) => join === 'any') }
}

const start: RandomNode = {
  id: 'start_0',
  kind: 'step',
  join: 'all',
  breaks: false,
  loopsTo: '',
  maxLoopCount: 1,
  items: 0,
  atOnce: 1,
}

function arrow(source: RandomNode, output: number, target: RandomNode): string {
  const decides = source.kind === 'choose' || source.kind === 'humanInput'
  if (output === ERROR_OUTPUT) return `${source.id}>error:${target.id}`
  return decides ? `${source.id}>${output}:${target.id}` : `${source.id}>${target.id}`
}

function document(nodes: RandomNode[], arrows: string[]): FlowDocument {
  const refs = [...nodes.map(({ id }) => `{{${id}}}`), '{{loop_count}}', '{{$iteration}}'].join(' ')
  const inputs = (node: RandomNode) => ({
    refs,
    loopBackToNode: `${node.loopsTo}-Any`,
    maxLoopCount: node.maxLoopCount,
    iterationInput: JSON.stringify(Array.from({ length: node.items }, (_, index) => index)),
    iterationConcurrency: node.atOnce,
  })
  const flow = drawFlow(Object.fromEntries(nodes.map((node) => [node.id, inputs(node)])), arrows)
  for (const [index, { parentNode, join, breaks }] of nodes.entries()) {
    const drawn = flow.nodes[index] as FlowDocument['nodes'][number]
    drawn.data.runPolicy = { join, onError: breaks ? 'branch' : 'stop' }
    if (parentNode) drawn.parentNode = parentNode
  }
  return flow
}

/** What an occurrence does is fixed by its path alone. */
export function chance(path: string): number {
  let hash = 7
  for (let index = 0; index < path.length; index++) hash = (hash * 31 + path.charCodeAt(index)) % 1_000_003
  return hash
}

const CHOICES = [[], [0], [1], [2], [0, 1], [0, 1, 2]]

export const choice = (path: string): number[] => CHOICES[chance(path) % CHOICES.length] as number[]
export const fails = (path: string): boolean => chance(path) % 2 === 0
export const proceeds = (path: string): boolean => chance(path) % 2 === 0

/** The paths that must run. Undefined when they are more than `most`. */
export function expectedPaths(random: RandomFlow, most: number): Set<string> | undefined {
  const ran = new Set<string>()
  const isWhole = walkScope(random, { container: undefined, place: '', ran, most })
  return isWhole ? ran : undefined
}

/** Whether the end of one node sends the run to another one; in flows without loops and iterations, where ids are paths. */
export function leadsOn({ nodes, arrows }: RandomFlow, source: string, target: string): boolean {
  const node = nodes.find(({ id }) => id === source) as RandomNode
  const outputs = taken(node, source, 0)
  return arrows
    .map(readArrow)
    .some((edge) => edge.source === source && edge.target === target && isTaken(outputs, edge))
}

interface Walk {
  container: string | undefined
  place: string
  ran: Set<string>
  most: number
}

interface Standing {
  round: number
  status: 'open' | 'done' | 'skipped'
  taken: number[] | null
  /** The nodes of the latest round that holds it. */
  within?: Set<string>
  isForced?: boolean
}

/** Runs everything that can run until the scope is at rest, then lets the jump with the deepest target happen, and so on. */
function walkScope(random: RandomFlow, walk: Walk): boolean {
  const { container, place, ran, most } = walk
  const nodes = random.nodes.filter(({ parentNode }) => parentNode === container)
  const edges = random.arrows.map(readArrow).filter(({ target }) => nodes.some(({ id }) => id === target))
  const below = (id: string) => edges.filter(({ source }) => source === id).map(({ target }) => target)
  const at = new Map(nodes.map(({ id }): [string, Standing] => [id, { round: 0, status: 'open', taken: null }]))
  const standing = (id: string) => at.get(id) as Standing
  const jumps = new Map<string, number>()
  const order = topologicalOrder(
    graphOf({ nodes: random.flow.nodes.filter(({ id }) => at.has(id)), edges: random.flow.edges }),
  ).order
  for (;;) {
    for (let grown = true; grown; ) {
      grown = false
      for (const node of nodes) {
        const mine = standing(node.id)
        if (mine.status !== 'open') continue
        const counted = edges.filter(
          ({ source, target }) =>
            target === node.id && !(node.join === 'any' && mine.within && !mine.within.has(source)),
        )
        const fates = counted.map(({ source, output }) => fate(standing(source), output))
        const isLive = fates.includes('live')
        if (!mine.isForced && fates.includes('open') && !(node.join === 'any' && isLive)) continue
        grown = true
        mine.status = mine.isForced || isLive || fates.length === 0 ? 'done' : 'skipped'
        if (mine.status === 'skipped') continue
        const path = `${node.id}${mine.round > 0 ? `#${mine.round}` : ''}${place}`
        ran.add(path)
        if (ran.size > most) return false
        mine.taken = taken(node, path, jumps.get(node.id) ?? 0)
        for (let item = 0; node.kind === 'iteration' && item < node.items; item++) {
          if (!walkScope(random, { ...walk, container: node.id, place: `@${path}[${item}]` })) return false
        }
      }
    }
    const asking = nodes.filter(
      ({ id, kind }) => kind === 'loop' && standing(id).status === 'done' && standing(id).taken?.length === 0,
    )
    const target = order.findLast((id) => asking.some(({ loopsTo }) => loopsTo === id))
    if (target === undefined) return true
    const round = new Set([target, ...reach([target], below)])
    for (const loop of nodes.filter(({ kind }) => kind === 'loop')) {
      const isAsking = asking.includes(loop) && loop.loopsTo === target
      if (isAsking) jumps.set(loop.id, (jumps.get(loop.id) ?? 0) + 1)
      else if (round.has(loop.id) && loop.loopsTo !== target && round.has(loop.loopsTo)) jumps.delete(loop.id)
      // A loop beside the round has gone back, and does not ask again.
      if (isAsking && !round.has(loop.id)) standing(loop.id).taken = [-2]
    }
    for (const id of round) {
      at.set(id, { round: standing(id).round + 1, status: 'open', taken: null, within: round, isForced: id === target })
    }
  }
}

function fate({ status, taken: outputs }: Standing, output: number): 'open' | 'live' | 'dead' {
  if (status === 'open') return 'open'
  if (status === 'skipped') return 'dead'
  return isTaken(outputs, { output }) ? 'live' : 'dead'
}

function isTaken(outputs: number[] | null, { output }: { output: number }): boolean {
  return outputs ? outputs.includes(output) : output !== ERROR_OUTPUT
}

function taken({ kind, breaks, maxLoopCount }: RandomNode, path: string, jumps: number): number[] | null {
  if (kind === 'choose') return choice(path)
  if (kind === 'humanInput') return [proceeds(path) ? 0 : 1]
  if (kind === 'loop') return jumps + 1 < maxLoopCount ? [] : null
  return breaks && fails(path) ? [ERROR_OUTPUT] : null
}

function readArrow(text: string): { source: string; target: string; output: number } {
  const [source = '', end = ''] = text.split('>')
  const [target = '', output] = end.split(':').reverse()
  return { source, target, output: output === 'error' ? ERROR_OUTPUT : Number(output ?? 0) }
}
