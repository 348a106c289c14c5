/** Test helpers: random flows, and a naive reference implementation that determines what must run. */
import fc from 'fast-check'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { graphOf, reach, topologicalOrder } from '#contract/flow/document/graph.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { LOOP_PARAM } from '#contract/flow/kinds/agentflow/loop.ts'
import type { BackEdge, CheckedFlowKind } from '#contract/flow/kinds/types.ts'
import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { type Compile, compile } from '../plan.ts'
import { drawFlow } from './flows.ts'

/** A `turn` has several back edges, each with a condition. A `loop` has one, as in agent flows. */
type Kind = 'step' | 'choose' | 'humanInput' | 'loop' | 'turn' | 'iteration'

const WAYS = 'ways'

const turning: CheckedFlowKind = {
  ...agentflow,
  backEdges: (node) => [...agentflow.backEdges(node), ...((node.data.inputs?.[WAYS] ?? []) as BackEdge[])],
}

export const compileRandomFlow: Compile = (flow, catalogue) => compile(flow, catalogue, turning)

interface RandomNode {
  id: string
  kind: Kind
  /** The iteration in which it lies. */
  parentNode?: string
  join: 'all' | 'any'
  /** Fails in some of its occurrences, and goes on at its error branch. */
  breaks: boolean
  backEdges: BackEdge[]
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
    ways: fc.array(fc.record({ target: fc.nat(30), most: fc.nat(3) }), { maxLength: 3 }),
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
      backEdges: [],
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
  for (const [index, one] of specs.entries()) {
    const node = nodes.find(({ id }) => id.endsWith(`_${index}`) && id !== 'start_0') as RandomNode
    node.backEdges = backEdges(one, members.get(node.parentNode) as RandomNode[])
  }
  return { nodes, arrows, flow: document(nodes, arrows), hasAny: nodes.some(({ join }) => join === 'any') }
}

function backEdges({ kind, target, maxLoopCount, ways }: Spec, siblings: RandomNode[]): BackEdge[] {
  const idAt = (place: number) => siblings[place % siblings.length]?.id ?? ''
  if (kind === 'loop')
    return [{ target: idAt(target), label: '', condition: String(maxLoopCount - 1), param: LOOP_PARAM }]
  if (kind !== 'turn') return []
  return ways.map(({ target: place, most }, index) => {
    return { target: idAt(place), label: `way ${index}`, condition: String(most), param: WAYS }
  })
}

const start: RandomNode = {
  id: 'start_0',
  kind: 'step',
  join: 'all',
  breaks: false,
  backEdges: [],
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
    ...backEdgeInputs(node),
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

function backEdgeInputs({ kind, backEdges: [first, ...others] }: RandomNode): Record<string, unknown> {
  if (!first) return {}
  if (kind === 'turn') return { [WAYS]: [first, ...others] }
  return { [LOOP_PARAM]: `${first.target}-Any`, maxLoopCount: Number(first.condition) + 1 }
}

/** Returns a number that depends on the path alone, so that it fixes what an occurrence does. */
export function chance(path: string): number {
  let hash = 7
  for (let index = 0; index < path.length; index++) hash = (hash * 31 + path.charCodeAt(index)) % 1_000_003
  return hash
}

const CHOICES = [[], [0], [1], [2], [0, 1], [0, 1, 2]]

export const choice = (path: string): number[] => CHOICES[chance(path) % CHOICES.length] as number[]
export const fails = (path: string): boolean => chance(path) % 2 === 0
export const proceeds = (path: string): boolean => chance(path) % 2 === 0

/** Returns the first back edge whose condition holds: it says how often its node may have gone back before. */
export function takenWay(ways: readonly BackEdge[], path: string, count: number): BackEdge | undefined {
  return ways.find(({ label, condition }) => count < Number(condition) && (label === '' || proceeds(path + label)))
}

/** The view that an occurrence must have. Where joins start at their first branch, it depends on which one that is. */
export interface ExpectedView {
  /** The paths of those that spoke. */
  said: string[]
  /** Under `shared` the path that wrote last, under the id of each node its latest path. */
  state: Record<string, string>
}

/** The paths that must run, and what each must see. Undefined when they are more than `most`. */
export function expectedRun(random: RandomFlow, most: number): Map<string, ExpectedView> | undefined {
  const sights = new Map<string, ExpectedView>()
  return walkScope(random, { container: undefined, place: '', entry: [], sights, most }) ? sights : undefined
}

/**
 * Returns whether the end of one node sends the run to another. Only for flows without loops and iterations, where
 * ids are paths.
 */
export function leadsOn({ nodes, arrows }: RandomFlow, source: string, target: string): boolean {
  const node = nodes.find(({ id }) => id === source) as RandomNode
  const outputs = taken(node, source)
  return arrows
    .map(readArrow)
    .some((edge) => edge.source === source && edge.target === target && isTaken(outputs, edge))
}

interface Walk {
  container: string | undefined
  place: string
  /** The paths that wrote to the state before. */
  entry: string[]
  sights: Map<string, ExpectedView>
  most: number
}

/** What an occurrence left: the paths that spoke, and those that wrote to the state. */
interface Left {
  spoke: string[]
  wrote: string[]
}

interface Standing {
  round: number
  status: 'open' | 'done' | 'skipped'
  taken: number[] | null
  /** Where it goes back. */
  asks?: string
  /** The nodes of the latest round that holds it. */
  within?: Set<string>
  isForced?: boolean
  left?: Left
  base: Base
}

/** What there was before a round. */
interface Base {
  /** Place in plan order of the node where the round began. */
  origin: number
  left: Left[]
}

/** Runs everything that can run until the scope is at rest, then lets the jump with the deepest target happen, and so on. */
function walkScope(random: RandomFlow, walk: Walk): Left[] | undefined {
  const { container, place, entry, sights, most } = walk
  const nodes = random.nodes.filter(({ parentNode }) => parentNode === container)
  const edges = random.arrows.map(readArrow).filter(({ target }) => nodes.some(({ id }) => id === target))
  const below = (id: string) => edges.filter(({ source }) => source === id).map(({ target }) => target)
  const first: Base = { origin: -1, left: [] }
  const at = new Map(
    nodes.map(({ id }): [string, Standing] => [id, { round: 0, status: 'open', taken: null, base: first }]),
  )
  const standing = (id: string) => at.get(id) as Standing
  const jumps = new Map(nodes.map(({ id }): [string, Map<string, number>] => [id, new Map()]))
  const jumpsOf = (id: string) => jumps.get(id) as Map<string, number>
  const order = topologicalOrder(
    graphOf({ nodes: random.flow.nodes.filter(({ id }) => at.has(id)), edges: random.flow.edges }),
  ).order
  const above = (ids: Iterable<string>) =>
    reach(ids, (id) => edges.filter(({ target }) => target === id).map(({ source }) => source))
  const leftBy = (ids: Set<string>) => order.filter((id) => ids.has(id)).flatMap((id) => standing(id).left ?? [])
  const gather = (ids: Iterable<string>) => {
    const bases = [...ids].map((id) => standing(id).base).sort((a, b) => a.origin - b.origin)
    return [...new Set([...bases.flatMap(({ left }) => left), ...leftBy(new Set([...ids, ...above(ids)]))])]
  }
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
        const sees = [...new Set([...mine.base.left, ...leftBy(above([node.id]))])]
        const written = [...entry, ...sees.flatMap(({ wrote }) => wrote)]
        sights.set(path, { said: sees.flatMap(({ spoke }) => spoke), state: stateOf(written) })
        if (sights.size > most) return undefined
        const count = [...jumpsOf(node.id).values()].reduce((sum, one) => sum + one, 0)
        mine.asks = takenWay(node.backEdges, path, count)?.target
        mine.taken = mine.asks === undefined ? taken(node, path) : []
        const isSilent = mine.asks !== undefined || node.kind === 'iteration' || mine.taken?.includes(ERROR_OUTPUT)
        const wrote: string[] = isSilent ? [] : [path]
        for (let index = 0; node.kind === 'iteration' && index < node.items; index++) {
          const before = node.atOnce > 1 ? written : [...written, ...wrote]
          const item = walkScope(random, { ...walk, container: node.id, place: `@${path}[${index}]`, entry: before })
          if (!item) return undefined
          wrote.push(...item.flatMap((left) => left.wrote))
        }
        mine.left = { spoke: isSilent ? [] : [path], wrote }
      }
    }
    const target = order.findLast((id) => nodes.some((node) => standing(node.id).asks === id))
    if (target === undefined) return gather(nodes.map(({ id }) => id))
    const round = new Set([target, ...reach([target], below)])
    for (const { id, backEdges: ways } of nodes) {
      const counts = jumpsOf(id)
      const others = round.has(id) ? ways.filter((way) => way.target !== target && round.has(way.target)) : []
      for (const other of others) counts.delete(other.target)
      if (standing(id).asks !== target) continue
      counts.set(target, (counts.get(target) ?? 0) + 1)
      // A node beside the round has gone back, and does not ask again.
      standing(id).asks = undefined
    }
    const base = { origin: order.indexOf(target), left: gather(round) }
    for (const id of round) {
      const isForced = id === target
      at.set(id, { round: standing(id).round + 1, status: 'open', taken: null, within: round, isForced, base })
    }
  }
}

/** Returns the state after these paths wrote to it: `shared` has the last path, each node its own last one. */
export function stateOf(paths: string[]): Record<string, string> {
  const written = paths.flatMap((path) => [
    ['shared', path],
    [path.replace(/[#@].*/, ''), path],
  ])
  return Object.fromEntries(written)
}

function fate({ status, taken: outputs }: Standing, output: number): 'open' | 'live' | 'dead' {
  if (status === 'open') return 'open'
  if (status === 'skipped') return 'dead'
  return isTaken(outputs, { output }) ? 'live' : 'dead'
}

function isTaken(outputs: number[] | null, { output }: { output: number }): boolean {
  return outputs ? outputs.includes(output) : output !== ERROR_OUTPUT
}

function taken({ kind, breaks }: RandomNode, path: string): number[] | null {
  if (kind === 'choose') return choice(path)
  if (kind === 'humanInput') return [proceeds(path) ? 0 : 1]
  return breaks && fails(path) ? [ERROR_OUTPUT] : null
}

function readArrow(text: string): { source: string; target: string; output: number } {
  const [source = '', end = ''] = text.split('>')
  const [target = '', output] = end.split(':').reverse()
  return { source, target, output: output === 'error' ? ERROR_OUTPUT : Number(output ?? 0) }
}
