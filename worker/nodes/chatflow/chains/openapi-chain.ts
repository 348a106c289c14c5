/** A chain that asks an API: a model picks an operation of its specification and writes the arguments. */
import { isRecord, parseFencedJson } from '#contract/data/json.ts'
import { additionalParam } from '#contract/flow/params/builders.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { addUsage } from '#contract/runs/usage.ts'
import { headers, text } from '../../../inputs/component-config.ts'
import { schemaProblem } from '../../../llm/schema-problem.ts'
import { callWithMetadata } from '../../../llm/structured-call.ts'
import { bounded, callService, mergedHeaders } from '../../../providers/json-api.ts'
import { listOperations, type Operation, readOperation } from '../../../tools/openapi/operations.ts'
import { argumentsSchema, buildRequest, type OperationArguments } from '../../../tools/openapi/request.ts'
import { listServers, readSpec, type Spec } from '../../../tools/openapi/spec.ts'
import type { ChatNodeType, StepContext, StepResult } from '../../types.ts'
import { type ModelComponent, requireComponent } from '../component-types.ts'
import { chainNode, chatModelAnchor, moderationAnchor } from '../definition.ts'
import { openFiles } from '../document-loaders/flow-files.ts'
import { askModel, chainResult, moderated } from './chain-answer.ts'

/** What a model reads to choose: more operations belong into a narrower specification. */
const MAX_OPERATIONS = 500
const MAX_RESPONSE = 50_000

const definition: ComponentDefinition = chainNode({
  label: 'OpenAPI Chain',
  name: 'openApiChain',
  version: 2,
  type: 'OpenAPIChain',
  description: 'Answers questions with an API operation that a model chooses',
  hint: 'Calls only the operations of the specification, on its first server.',
  inputs: [
    chatModelAnchor,
    {
      label: 'YAML link',
      name: 'yamlLink',
      type: 'string',
      optional: true,
      placeholder: 'https://api.example.com/openapi.yaml',
      description: 'URL of the specification, in YAML or JSON. Used instead of the file',
    },
    {
      label: 'YAML file',
      name: 'yamlFile',
      type: 'file',
      fileType: '.yaml,.yml,.json',
      optional: true,
      description: 'The specification, in YAML or JSON',
    },
    additionalParam('Specification', 'specification', {
      rows: 4,
      description: 'The specification itself. Used instead of a link or file',
    }),
    additionalParam('Headers', 'headers', { type: 'json', description: 'Sent with the request' }),
    moderationAnchor,
  ],
})

export const openApiChain: ChatNodeType = {
  definition,
  run: (context) => moderated(context, () => run(context)),
}

async function run(context: StepContext): Promise<StepResult> {
  const { input, clock } = context
  const started = clock.now()
  const model = await requireComponent(context, 'model', 'model', 'a chat model')
  const spec = await openSpec(context)
  const server = listServers(spec)[0]?.url
  if (!server) throw new Error('OpenAPI Chain: the specification has no server with an absolute URL. Add one.')
  const chosen = await chooseOperation(spec, model, context)
  const operation = readOperation(spec.document, chosen.value)
  const written = await writeArguments(operation, model, context)
  const { url, response } = await send({ operation, server, args: written.value }, context)
  const told = `A question was asked: ${input.text}\n\nThis request was sent: ${operation.method.toUpperCase()} ${url}\n\nThe API answered:\n${response}\n\nAnswer the question from it, in the language of the question.`
  const turns = [{ role: 'user' as const, content: told }]
  const answer = await askModel({ model, turns }, context)
  const usage = addUsage(addUsage(chosen.usage, written.usage), answer.usage)
  const request = { operation: operation.id, method: operation.method.toUpperCase(), url }
  return chainResult({ ...answer, usage }, { model, turns, started }, context, { request })
}

/** Reads the specification: of the link, else as written, else of the file. */
async function openSpec(context: StepContext): Promise<Spec> {
  const link = text(context.inputs, 'yamlLink')
  if (link) return readSpec({ inputType: 'link', openApiLink: link }, context)
  const written = text(context.inputs, 'specification')
  if (written) return readSpec({ inputType: 'file', openApiFile: written }, context)
  const [file] = await openFiles(definition, context)
  const bytes = file && (await file.read())
  if (!bytes) throw new Error('OpenAPI Chain: choose a file or enter a link')
  return readSpec({ inputType: 'file', openApiFile: new TextDecoder().decode(bytes) }, context)
}

type Head = ReturnType<typeof listOperations>[number]

async function chooseOperation({ document }: Spec, model: ModelComponent, context: StepContext) {
  const heads = listOperations(document)
  if (heads.length === 0) throw new Error('OpenAPI Chain: the specification has no operations')
  if (heads.length > MAX_OPERATIONS)
    throw new Error(`OpenAPI Chain: the specification has more than ${MAX_OPERATIONS} operations. Leave some out.`)
  const list = heads.map(({ id, description }) => `${id}: ${bounded(description, 300)}`).join('\n')
  const schema = {
    type: 'object',
    properties: { operation: { type: 'string', enum: heads.map(({ id }) => id) } },
    required: ['operation'],
    additionalProperties: false,
  }
  const content = `These are the operations of an API:\n${list}\n\nChoose the one that gets what is needed to answer the question.\n\nQuestion: ${context.input.text}`
  const read = (said: string): { value: Head } | { problem: string } => {
    const value = parseFencedJson(said)
    const head = heads.find(({ id }) => isRecord(value) && id === value.operation)
    return head ? { value: head } : { problem: 'the API has no such operation' }
  }
  return askForJson({ content, schema, model }, { read, failure: 'The model chose no operation' }, context)
}

function writeArguments(operation: Operation, model: ModelComponent, context: StepContext) {
  const schema = argumentsSchema(operation)
  const content = `Write the arguments of ${operation.id}, which answers the question. Ask for as little as the answer needs.\n\n${bounded(operation.description, 1000)}\n\nQuestion: ${context.input.text}`
  const read = (said: string): { value: OperationArguments } | { problem: string } => {
    const value = parseFencedJson(said)
    if (!isRecord(value)) return { problem: 'it is not JSON' }
    const problem = schemaProblem(value, schema, '2020-12')
    return problem ? { problem: `${problem.at}: ${problem.why}` } : { value }
  }
  return askForJson(
    { content, schema, model },
    { read, failure: 'The model wrote no request that can be sent' },
    context,
  )
}

interface StructuredQuestion {
  content: string
  schema: Record<string, unknown>
  model: ModelComponent
}

function askForJson<T>(
  { content, schema, model }: StructuredQuestion,
  reader: Parameters<typeof callWithMetadata<T>>[1],
  context: StepContext,
) {
  const told = `${content}\n\nReply only with one JSON object that matches this JSON Schema:\n${JSON.stringify(schema)}`
  return callWithMetadata<T>({ open: model.open, messages: [{ role: 'user', content: told }], schema }, reader, context)
}

interface Sending {
  operation: Operation
  server: string
  args: OperationArguments
}

async function send({ operation, server, args }: Sending, context: StepContext) {
  const request = buildRequest(operation, server, args)
  const hasEffect = operation.method !== 'get'
  if (hasEffect) await context.barrier()
  const key = hasEffect && { 'idempotency-key': context.idempotencyKey }
  const all = Object.fromEntries(mergedHeaders(key, request.headers, headers(context.inputs, 'headers')))
  const answer = await callService({ service: operation.id, ...request, headers: all }, context)
  return { url: request.url, response: bounded(await answer.text(), MAX_RESPONSE) }
}
