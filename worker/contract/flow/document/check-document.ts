/** Checks the shape of a flow document without schemas, which the canvas would have to load before it can draw. */
import { isRecord } from '../../data/json.ts'

export const MAX_NODES = 5_000
export const MAX_EDGES = 20_000

interface Issue {
  path: string[]
  message: string
}

type Check = (value: unknown) => Issue | undefined

const issue = (message: string): Issue => ({ path: [], message })

const below = (key: string | number, found: Issue | undefined): Issue | undefined =>
  found && { path: [String(key), ...found.path], message: found.message }

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const expected = (kind: string, value: unknown) => issue(`Invalid input: expected ${kind}, received ${kindOf(value)}`)

const text: Check = (value) => (typeof value === 'string' ? undefined : expected('string', value))
const number: Check = (value) => (Number.isFinite(value) ? undefined : expected('number', value))
const boolean: Check = (value) => (typeof value === 'boolean' ? undefined : expected('boolean', value))
const filled: Check = (value) =>
  value === '' ? issue('Too small: expected string to have >=1 characters') : text(value)
const textOrNumber: Check = (value) => (text(value) && number(value) ? issue('Invalid input') : undefined)

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value)

const nullish =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : optional(check)(value)

const list =
  (check: Check, max = Number.POSITIVE_INFINITY, tooMany = ''): Check =>
  (value) => {
    if (!Array.isArray(value)) return expected('array', value)
    for (const [index, item] of value.entries()) {
      const found = check(item)
      if (found) return below(index, found)
    }
    return value.length > max ? issue(tooMany) : undefined
  }

const record: Check = (value) => (isRecord(value) ? undefined : expected('record', value))

const object = (shape: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(shape)
  return (value) => {
    if (!isRecord(value)) return expected('object', value)
    for (const [key, check] of checks) {
      const found = check(value[key])
      if (found) return below(key, found)
    }
    return undefined
  }
}

const anchor = object({
  id: optional(text),
  name: nullish(textOrNumber),
  label: nullish(textOrNumber),
  description: nullish(text),
  type: nullish(text),
})

const param = object({
  name: text,
  type: text,
  options: nullish(list(object({}))),
  array: nullish(list(object({}))),
  show: nullish(record),
  hide: nullish(record),
})

const nodeData = object({
  id: filled,
  name: filled,
  label: optional(text),
  version: optional(number),
  type: optional(text),
  category: optional(text),
  description: optional(text),
  color: optional(text),
  hideInput: optional(boolean),
  hideOutput: optional(boolean),
  baseClasses: optional(list(text)),
  inputParams: optional(list(param)),
  inputAnchors: optional(list(object({ id: optional(text) }))),
  inputs: optional(record),
  outputAnchors: optional(list(anchor)),
  outputs: optional(record),
  credential: optional(text),
  selected: optional(boolean),
})

const checkNode = object({
  id: filled,
  type: text,
  position: object({ x: number, y: number }),
  data: nodeData,
  width: optional(number),
  height: optional(number),
  parentNode: optional(text),
  extent: optional(text),
  selected: optional(boolean),
})

const checkEdge = object({
  id: filled,
  source: filled,
  target: filled,
  sourceHandle: nullish(text),
  targetHandle: nullish(text),
  type: optional(text),
  data: optional(object({})),
})

export const checkNodes = list(checkNode, MAX_NODES, `A flow may have at most ${MAX_NODES} nodes`)
export const checkEdges = list(checkEdge, MAX_EDGES, `A flow may have at most ${MAX_EDGES} edges`)

/** Returns the first problem of a value that is no flow document. */
export const checkDocument = object({
  nodes: checkNodes,
  edges: checkEdges,
  viewport: optional(object({ x: number, y: number, zoom: number })),
})
