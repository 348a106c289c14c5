/** The operations of an OpenAPI specification with their parameters. */
import { createInliner, resolve } from './refs.ts'
import { isJson, type Json } from './spec.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Json
  style?: string
  explode?: boolean
}

export interface Operation {
  /** The operation's id, or `GET /pets` when it has none. Stored by the canvas. */
  id: string
  description: string
  method: string
  path: string
  parameters: Parameter[]
  body?: { type: string; schema: Json; required: boolean }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** Header parameters that the OpenAPI standard tells to ignore. */
const FIXED_HEADERS = ['accept', 'content-type', 'authorization']
const BODIES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

/** Lists all operations without reading their parameters. */
export function listOperations(document: Json): Pick<Operation, 'id' | 'description' | 'method' | 'path'>[] {
  // Without the slash, a path could extend the server's host name.
  const paths = Object.entries(document.paths as Json).filter(([path]) => path.startsWith('/'))
  return paths.flatMap(([path, item]) => {
    const methods = resolve(document, item)
    return METHODS.filter((method) => isJson(methods[method])).map((method) => {
      const { operationId, description, summary } = methods[method] as Json
      const id = typeof operationId === 'string' && operationId ? operationId : `${method.toUpperCase()} ${path}`
      return { id, description: String(description || summary || id), method, path }
    })
  })
}

/** Reads an operation's parameters and body. @throws Error that names an unresolved reference */
export function readOperation(document: Json, head: ReturnType<typeof listOperations>[number]): Operation {
  const item = resolve(document, (document.paths as Json)[head.path])
  const operation = item[head.method] as Json
  const inline = createInliner(document)
  const parameters = readParameters(document, [item, operation], inline)
  return { ...head, parameters, body: readBody(document, operation, inline) }
}

type Inliner = ReturnType<typeof createInliner>

/** Parameters of the operation override those of its path. */
function readParameters(document: Json, levels: Json[], inline: Inliner): Parameter[] {
  const declared = levels.flatMap(({ parameters }) => (Array.isArray(parameters) ? parameters : []))
  const byPlace = new Map(
    declared
      .map((each) => resolve(document, each))
      .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  )
  return [...byPlace.values()].flatMap((parameter) => {
    const { name, in: place, style, explode, description } = parameter
    if (typeof name !== 'string' || !isPlace(place)) return []
    if (place === 'header' && FIXED_HEADERS.includes(name.toLowerCase())) return []
    const schema = inline(parameter.schema ?? contentSchema(parameter))
    return {
      name,
      in: place,
      required: place === 'path' || parameter.required === true,
      schema: { ...(typeof description === 'string' && { description }), ...schema },
      ...(typeof style === 'string' && { style }),
      ...(typeof explode === 'boolean' && { explode }),
    }
  })
}

const isPlace = (place: unknown): place is Parameter['in'] =>
  place === 'path' || place === 'query' || place === 'header'

/** A parameter may declare its schema under a media type. */
function contentSchema({ content }: Json): unknown {
  const [media] = isJson(content) ? Object.values(content) : []
  return isJson(media) ? media.schema : undefined
}

function readBody(document: Json, { requestBody }: Json, inline: Inliner): Operation['body'] {
  if (!requestBody) return undefined
  const { content, required } = resolve(document, requestBody)
  if (!isJson(content)) return undefined
  const types = Object.keys(content)
  const type = BODIES.find((each) => types.includes(each)) ?? types.find((each) => /json/.test(each)) ?? types[0]
  if (!type) return undefined
  const media = content[type]
  return { type, required: required === true, schema: inline(isJson(media) ? media.schema : undefined) }
}
