/** Every chosen operation of an OpenAPI description as a tool. */
import { headers, isOn, text } from '../../models/config.ts'
import { additionalParam, choices, toolDefinition } from '../definition.ts'
import type { CallableTool, ToolContext, ToolType } from '../types.ts'
import { bounded, callService, mergedHeaders } from '../web/json-api.ts'
import { listOperations, type Operation, readOperation } from './operations.ts'
import { argumentsSchema, type OperationArguments, requestOf, withoutNulls } from './request.ts'
import { absolute, readSpec, type Spec, serversOf } from './spec.ts'

const LABEL = 'OpenAPI Toolkit'
const MAX_CHARS = 20_000
/** More than this no provider takes. */
const MAX_TOOLS = 128

const CODE = `// $url and $options are the request; $PathParameters, $QueryParameters, $HeaderParameters and $RequestBody the arguments.
const response = await fetch($url, $options)
const { items } = await response.json()
return JSON.stringify(items.map(({ id, name }) => ({ id, name })))
`

export const openApiToolkit: ToolType = {
  definition: {
    ...toolDefinition({
      label: LABEL,
      name: 'openAPIToolkit',
      type: 'OpenAPIToolkit',
      version: 2.1,
      description: 'Makes a tool of each operation of an API that has an OpenAPI 3 description',
      hint: 'Operations without an operationId are tools too. Header parameters are arguments as well. Keys and tokens belong in Headers: what the description says of security is not read. Custom code cannot read $vars or $flow.',
      inputs: [
        {
          label: 'Input Type',
          name: 'inputType',
          type: 'options',
          options: [
            { label: 'Upload File', name: 'file' },
            { label: 'Provide Link', name: 'link' },
          ],
          default: 'file',
          description: 'Where the description comes from',
        },
        {
          label: 'OpenAPI File',
          name: 'openApiFile',
          type: 'file',
          description: 'The description, in YAML or JSON',
          show: { inputType: 'file' },
        },
        {
          label: 'OpenAPI Link',
          name: 'openApiLink',
          type: 'string',
          placeholder: 'https://api.example.com/openapi.yaml',
          description: 'The address of the description, in YAML or JSON',
          show: { inputType: 'link' },
        },
        {
          label: 'Server',
          name: 'selectedServer',
          type: 'asyncOptions',
          loadMethod: 'listServers',
          refresh: true,
          optional: true,
          description: 'Where the API is; the first one of the description unless chosen',
        },
        {
          label: 'Available Endpoints',
          name: 'selectedEndpoints',
          type: 'asyncMultiOptions',
          loadMethod: 'listEndpoints',
          refresh: true,
          optional: true,
          description: 'Those that become tools; all unless chosen',
        },
        {
          label: 'Return Direct',
          name: 'returnDirect',
          type: 'boolean',
          optional: true,
          description: "Make the API's answer the agent's answer",
        },
        additionalParam('Headers', 'headers', {
          type: 'json',
          acceptVariable: true,
          description: 'Sent with each request, for example { "Authorization": "Bearer token" }',
        }),
        {
          label: 'Remove null parameters',
          name: 'removeNulls',
          type: 'boolean',
          optional: true,
          description: 'Leaves out arguments that the model gave as null',
        },
        additionalParam('Custom Code', 'customCode', {
          type: 'code',
          hideCodeExecute: true,
          codeExample: CODE,
          description:
            'Makes the request and returns what the model is told. Left empty, the answer is handed on as it is',
        }),
      ],
    }),
    baseClasses: ['OpenAPIToolkit', 'Tool'],
  },
  loadMethods: {
    async listServers(context) {
      const servers = serversOf(await readSpec(context.config, context))
      if (servers.length === 0) throw new Error(`${LABEL}: the description names no server with a full address`)
      return servers.map(({ url, description }) => ({ label: url, name: url, description: description ?? url }))
    },
    async listEndpoints(context) {
      const { document } = await readSpec(context.config, context)
      const options = listOperations(document).map(({ id, description }) => ({ label: id, name: id, description }))
      return options.sort((a, b) => a.label.localeCompare(b.label))
    },
  },
  async open(context) {
    const spec = await readSpec(context.config, context)
    const server = serverOf(spec, context)
    const code = await ownCode(text(context.config, 'customCode'))
    return chosenOperations(spec, context).map((head) =>
      callableOf(readOperation(spec.document, head), { server, code, context }),
    )
  },
}

/** @throws Error when there is none */
function serverOf(spec: Spec, { config }: ToolContext): string {
  const chosen = text(config, 'selectedServer')
  const server = (chosen && absolute(chosen, spec.link)) || serversOf(spec)[0]?.url
  if (!server) throw new Error(`${LABEL}: the description names no server with a full address. Add one to it.`)
  return server
}

function chosenOperations({ document }: Spec, { config }: ToolContext) {
  const chosen = choices(config.selectedEndpoints)
  const all = listOperations(document)
  const operations = chosen.length > 0 ? all.filter(({ id }) => chosen.includes(id)) : all
  if (operations.length === 0) throw new Error(`${LABEL}: the description has none of the chosen endpoints`)
  if (operations.length > MAX_TOOLS)
    throw new Error(`${LABEL}: these are ${operations.length} endpoints. Choose at most ${MAX_TOOLS}.`)
  return operations
}

interface Setting {
  server: string
  code: string | undefined
  context: ToolContext
}

function callableOf(operation: Operation, { server, code, context }: Setting): CallableTool {
  const { config } = context
  const hasEffect = operation.method !== 'get' || code !== undefined
  const fixed = headers(config, 'headers')
  return {
    name: modelName(operation.id) || operation.method,
    description: bounded(operation.description, 1000),
    parameters: argumentsSchema(operation),
    hasEffect,
    returnDirect: isOn(config, 'returnDirect'),
    async call(given, key) {
      const args: OperationArguments = isOn(config, 'removeNulls') ? withoutNulls(given) : given
      const request = requestOf(operation, server, args)
      const all = mergedHeaders(hasEffect && { 'idempotency-key': key }, request.headers, fixed)
      request.headers = Object.fromEntries(all)
      if (code) return runCode(code, { args, request, context })
      const answer = await callService({ service: operation.id, ...request }, context)
      return bounded(await answer.text(), MAX_CHARS)
    },
  }
}

const modelName = (id: string) =>
  id
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 64)

interface CodeRun {
  args: OperationArguments
  request: ReturnType<typeof requestOf>
  context: ToolContext
}

async function runCode(code: string, { args, request, context }: CodeRun): Promise<string> {
  const { url, rawBody, ...options } = request
  if (rawBody instanceof FormData)
    throw new Error(`${LABEL}: custom code cannot send multipart/form-data. Leave Custom Code empty.`)
  const isForm = rawBody instanceof URLSearchParams
  const form = isForm && { 'content-type': 'application/x-www-form-urlencoded' }
  const globals = {
    $url: url,
    $options: { ...options, headers: { ...form, ...options.headers }, body: rawBody?.toString() },
    $PathParameters: args.PathParameters ?? {},
    $QueryParameters: args.QueryParameters ?? {},
    $HeaderParameters: args.HeaderParameters ?? {},
    $RequestBody: args.RequestBody ?? {},
  }
  const { value } = await context.sandbox.run({ code, globals, signal: context.signal })
  return bounded(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), MAX_CHARS)
}

/** The code that files from Flowise hold when nobody changed it: it does what is done without code. */
const UNCHANGED = '1f64c955736e975c8718f922eae81d27ab830bbc4a2429ad6261002d044cf374'
const FETCH_IMPORT = /(const|let|var)\s+fetch\s*=\s*require\(\s*['"]node-fetch['"]\s*\);?/

/** @throws Error that names what the code uses and cannot have */
async function ownCode(code: string | undefined): Promise<string | undefined> {
  if (!code) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code.replace(/\s+/g, '')))
  if (Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('') === UNCHANGED)
    return undefined
  const missing = /\$(vars|flow)\b/.exec(code)?.[0]
  if (missing) throw new Error(`${LABEL}: Custom Code uses ${missing}, which is not available in it`)
  return code.replace(FETCH_IMPORT, '')
}
