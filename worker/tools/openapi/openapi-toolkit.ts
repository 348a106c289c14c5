/** Turns the selected operations of an OpenAPI specification into tools. */

import { additionalParam } from '#contract/flow/params/builders.ts'
import { headers, isOn, text } from '../../inputs/component-config.ts'
import { authorization } from '../../providers/authorization.ts'
import { httpCredentialNames } from '../../providers/http-credentials.ts'
import { bounded, callService, mergedHeaders } from '../../providers/json-api.ts'
import { choices, toolDefinition } from '../definition.ts'
import type { CallableTool, ToolContext, ToolType } from '../types.ts'
import { listOperations, type Operation, readOperation } from './operations.ts'
import { argumentsSchema, buildRequest, type OperationArguments, withoutNulls } from './request.ts'
import { absolute, listServers, readSpec, type Spec } from './spec.ts'

const LABEL = 'OpenAPI Toolkit'
const MAX_CHARS = 20_000
/** The maximum that providers accept. */
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
      description: 'Turns each operation of an OpenAPI 3 API into a tool',
      hint: 'Operations without an operationId are included. Choose a credential, or put API keys and tokens in Headers: security schemes in the specification are ignored. Custom code can’t read $vars or $flow.',
      credential: {
        label: 'Credential',
        name: 'credential',
        type: 'credential',
        credentialNames: httpCredentialNames,
        optional: true,
      },
      inputs: [
        {
          label: 'Input type',
          name: 'inputType',
          type: 'options',
          options: [
            { label: 'Upload file', name: 'file' },
            { label: 'Provide link', name: 'link' },
          ],
          default: 'file',
          description: 'Where to read the specification from',
        },
        {
          label: 'OpenAPI file',
          name: 'openApiFile',
          type: 'file',
          description: 'The specification, in YAML or JSON',
          show: { inputType: 'file' },
        },
        {
          label: 'OpenAPI link',
          name: 'openApiLink',
          type: 'string',
          placeholder: 'https://api.example.com/openapi.yaml',
          description: 'URL of the specification, in YAML or JSON',
          show: { inputType: 'link' },
        },
        {
          label: 'Server',
          name: 'selectedServer',
          type: 'asyncOptions',
          loadMethod: 'listServers',
          refresh: true,
          optional: true,
          description: 'The API server. Default: the first server in the specification.',
        },
        {
          label: 'Available endpoints',
          name: 'selectedEndpoints',
          type: 'asyncMultiOptions',
          loadMethod: 'listEndpoints',
          refresh: true,
          optional: true,
          description: 'The endpoints to use as tools. Default: all.',
        },
        {
          label: 'Return direct',
          name: 'returnDirect',
          type: 'boolean',
          optional: true,
          description: "Return the API's response as the agent's response",
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
          description: 'Omit arguments that the model sets to null',
        },
        additionalParam('Custom code', 'customCode', {
          type: 'code',
          hideCodeExecute: true,
          codeExample: CODE,
          description:
            'Code that sends the request and returns the text for the model. Leave empty to return the response unchanged.',
        }),
      ],
    }),
    baseClasses: ['OpenAPIToolkit', 'Tool'],
  },
  loadMethods: {
    async listServers(context) {
      const servers = listServers(await readSpec(context.config, context))
      if (servers.length === 0) throw new Error(`${LABEL}: the specification has no server with an absolute URL`)
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
    const server = requireServer(spec, context)
    const code = await ownCode(text(context.config, 'customCode'))
    return chosenOperations(spec, context).map((head) =>
      buildTool(readOperation(spec.document, head), { server, code, context }),
    )
  },
}

/** Returns the server's URL. @throws Error when the specification has none */
function requireServer(spec: Spec, { config }: ToolContext): string {
  const chosen = text(config, 'selectedServer')
  const server = (chosen && absolute(chosen, spec.link)) || listServers(spec)[0]?.url
  if (!server) throw new Error(`${LABEL}: the specification has no server with an absolute URL. Add one.`)
  return server
}

function chosenOperations({ document }: Spec, { config }: ToolContext) {
  const chosen = choices(config.selectedEndpoints)
  const all = listOperations(document)
  const operations = chosen.length > 0 ? all.filter(({ id }) => chosen.includes(id)) : all
  if (operations.length === 0)
    throw new Error(`${LABEL}: the specification contains none of the selected endpoints. Select them again.`)
  if (operations.length > MAX_TOOLS)
    throw new Error(`${LABEL}: ${operations.length} endpoints are selected. Select at most ${MAX_TOOLS}.`)
  return operations
}

interface Setting {
  server: string
  code: string | undefined
  context: ToolContext
}

function buildTool(operation: Operation, { server, code, context }: Setting): CallableTool {
  const { config } = context
  const hasEffect = operation.method !== 'get' || code !== undefined
  const fixed = headers(config, 'headers')
  const proof = Object.fromEntries(authorization(context.credential))
  return {
    name: modelName(operation.id) || operation.method,
    description: bounded(operation.description, 1000),
    parameters: argumentsSchema(operation),
    hasEffect,
    returnDirect: isOn(config, 'returnDirect'),
    async call(given, key) {
      const args: OperationArguments = isOn(config, 'removeNulls') ? withoutNulls(given) : given
      const request = buildRequest(operation, server, args)
      const all = mergedHeaders(hasEffect && { 'idempotency-key': key }, request.headers, fixed, proof)
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
  request: ReturnType<typeof buildRequest>
  context: ToolContext
}

async function runCode(code: string, { args, request, context }: CodeRun): Promise<string> {
  const { url, rawBody, ...options } = request
  if (rawBody instanceof FormData)
    throw new Error(`${LABEL}: custom code can't send multipart/form-data. Clear Custom code.`)
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

/** SHA-256 of Flowise's default code, which does the same as no code. */
const DEFAULT_CODE_HASH = '1f64c955736e975c8718f922eae81d27ab830bbc4a2429ad6261002d044cf374'
const FETCH_IMPORT = /(const|let|var)\s+fetch\s*=\s*require\(\s*['"]node-fetch['"]\s*\);?/

/** Returns the custom code, or undefined for Flowise's default. @throws Error that names an unavailable global */
async function ownCode(code: string | undefined): Promise<string | undefined> {
  if (!code) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code.replace(/\s+/g, '')))
  if (Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('') === DEFAULT_CODE_HASH)
    return undefined
  const missing = /\$(vars|flow)\b/.exec(code)?.[0]
  if (missing) throw new Error(`${LABEL}: Custom code can't use ${missing}. Remove it.`)
  return code.replace(FETCH_IMPORT, '')
}
