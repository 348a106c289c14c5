/** The edges of a Workflow graph. */

import type { YamlMap, YamlValue } from '../python-yaml.ts'
import { keysOf } from './agent-keys.ts'
import { readAgentReference, readConfigPath } from './agent-references.ts'
import { checkCode } from './code-names.ts'
import type { GraphEdge, GraphNode, GraphStep } from './design.ts'
import type { FileNotes } from './file-notes.ts'
import { excerpt, type Keyed, nameOf, readJson } from './plain-values.ts'

/** Reads a node that is written inside the graph. Returns its id; undefined after a problem. */
type ReadInline = (value: YamlMap, path: string) => string | undefined

export function readGraph({ path, pair }: Keyed, notes: FileNotes, readInline: ReadInline): GraphEdge[] {
  if (pair.value.kind !== 'list') {
    notes.refuse(pair.value.span, `${path} must be a list.`)
    return []
  }
  notes.note(path, pair.key.span)
  const reading = new GraphReading(notes, readInline)
  return pair.value.items.flatMap((item, index) => reading.readEdge(item, `${path}[${index}]`) ?? [])
}

/** Returns the nodes of a graph in the order in which they are written. */
export const nodesOf = (edges: readonly GraphEdge[]): GraphNode[] =>
  edges.flatMap((edge) => {
    if (edge.kind === 'line') return [edge.from, edge.to]
    return edge.steps.flatMap((step) =>
      step.kind === 'nodes' ? step.nodes : step.routes.flatMap(({ nodes }) => nodes),
    )
  })

const LINE_KEYS = ['from_node', 'to_node', 'route']
const NODE_KEYS = ['agent_class', 'config_path', 'func_code']

class GraphReading {
  readonly #notes: FileNotes
  readonly #readInline: ReadInline

  constructor(notes: FileNotes, readInline: ReadInline) {
    this.#notes = notes
    this.#readInline = readInline
  }

  readEdge(item: YamlValue, path: string): GraphEdge | undefined {
    const { span } = item
    if (item.kind === 'map') return this.#readLine(item, path)
    if (item.kind !== 'list') return this.#refuse(item, `${path} must be a list of steps, and not ${nameOf(item)}.`)
    const steps = item.items.flatMap((step, index) => this.#readStep(step, `${path}[${index}]`, index > 0) ?? [])
    this.#notes.note(path, span)
    return { kind: 'chain', steps, span }
  }

  /** `{from_node: a.yaml, to_node: b.yaml, route: yes}` */
  #readLine(item: YamlMap, path: string): GraphEdge | undefined {
    const [from, to, route] = LINE_KEYS.map((key) => valueIn(item, key))
    if (!from || !to || item.pairs.some(({ key }) => !LINE_KEYS.includes(String(key.value))))
      return this.#refuse(item, `${path} must be a list of steps, or a map of from_node, to_node and route.`)
    const ends = { from: this.#readNode(from, `${path}.from_node`), to: this.#readNode(to, `${path}.to_node`) }
    this.#notes.note(path, item.span)
    const json = route ? readJson(route, `${path}.route`, this.#notes) : null
    return ends.from && ends.to && { kind: 'line', from: ends.from, to: ends.to, route: json, span: item.span }
  }

  #readStep(step: YamlValue, path: string, mayRoute: boolean): GraphStep | undefined {
    if (step.kind === 'map' && !looksLikeNode(step)) {
      if (mayRoute) return this.#readRoutes(step, path)
      return this.#refuse(step, `${path}: routes need a step before them.`)
    }
    const nodes = this.#readNodes(step, path)
    return { kind: 'nodes', nodes }
  }

  #readNodes(value: YamlValue, path: string): GraphNode[] {
    if (value.kind !== 'list') return [this.#readNode(value, path)].flatMap((node) => node ?? [])
    return value.items.flatMap((item, index) => this.#readNode(item, `${path}[${index}]`) ?? [])
  }

  #readRoutes(step: YamlMap, path: string): GraphStep {
    const routes = step.pairs.flatMap(({ key, value }) => {
      const at = `${path}.${excerpt(String(key.value))}`
      this.#notes.note(at, key.span)
      const nodes = this.#readNodes(value, at)
      if (key.kind === 'text' || key.kind === 'flag' || key.kind === 'whole') return { route: key.value, nodes }
      this.#notes.refuse(key.span, `${at}: a route must be a text, a whole number, or true or false.`)
      return []
    })
    return { kind: 'routes', routes }
  }

  #readNode(value: YamlValue, path: string): GraphNode | undefined {
    if (value.kind === 'map') return this.#readMappedNode(value, path)
    if (value.kind !== 'text') return this.#refuse(value, `${path} must be a node, and not ${nameOf(value)}.`)
    const written = value.value
    if (written === 'START') {
      this.#notes.note(path, value.span)
      return { kind: 'start' }
    }
    if (/\.ya?ml$/.test(written)) {
      const agent = readConfigPath(value, path, this.#notes)
      return agent && { kind: 'reference', ...agent }
    }
    if (!written.includes('.')) {
      this.#notes.note(path, value.span)
      return { kind: 'named', name: written, span: value.span }
    }
    const code = checkCode(value, { path, isRelative: true }, this.#notes)
    return code && { kind: 'function', code: code.code }
  }

  #readMappedNode(value: YamlMap, path: string): GraphNode | undefined {
    const isClass = valueIn(value, 'agent_class') || valueIn(value, 'func_code')
    const isReference = valueIn(value, 'config_path') || (valueIn(value, 'code') && !isClass)
    if (isReference) {
      const agent = readAgentReference(value, path, this.#notes)
      return agent && { kind: 'reference', ...agent }
    }
    this.#notes.note(path, value.span)
    const id = this.#readInline(value, path)
    return id === undefined ? undefined : { kind: 'reference', agent: id, written: id, span: value.span }
  }

  #refuse(value: YamlValue, reason: string): undefined {
    this.#notes.refuse(value.span, reason)
    return undefined
  }
}

const valueIn = (map: YamlMap, name: string) => map.pairs.find(({ key }) => key.value === name)?.value

/** True for a node that is written in place; false for a map of routes, whose keys may be called like those of a node. */
function looksLikeNode(map: YamlMap): boolean {
  if (NODE_KEYS.some((key) => valueIn(map, key))) return true
  if (map.pairs.length === 1 && valueIn(map, 'code')?.kind === 'text') return true
  return valueIn(map, 'name') !== undefined && map.pairs.every(({ key }) => keysOf('LlmAgent').has(String(key.value)))
}
