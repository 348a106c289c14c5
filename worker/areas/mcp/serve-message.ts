/** Answers the messages of MCP clients. Nothing is kept between two: every call of a tool is a run of its own. */
import type { Context } from 'hono'
import { errorReport, HeddleError } from '#contract/errors.ts'
import {
  MCP_VERSIONS,
  type McpTool,
  NOTIFICATION,
  RPC_ERRORS,
  type RpcAnswer,
  type RpcMessage,
  readArguments,
} from '#contract/mcp/servers.ts'
import { type Prediction, predictionSchema } from '#contract/predictions/predictions.ts'
import { VERSION } from '#contract/version.ts'
import type { AppEnv } from '../../http/route.ts'
import { assertRecordsLeft, runStatements } from '../../runs/records/records-budget.ts'
import { hasFailed } from '../../runs/records/run-end.ts'
import { runFlow } from '../../runs/run-flow.ts'
import { countCall, loadRunContext, prepareRun } from '../predictions/index.ts'

/** A flow that a client may call. */
export interface ServedTool {
  flowId: string
  tool: McpTool
}

interface Server {
  readTools(): Promise<ServedTool[]> | ServedTool[]
  /** The hash of the API key that the client sent, where a key opens the server. */
  keyHash?: string | undefined
}

/** Returns the answer to a request, or 202 for a message that needs none. */
export async function serveMessage(c: Context<AppEnv>, message: RpcMessage, server: Server): Promise<Response> {
  const { id, method } = message
  if (method === undefined || id === undefined || id === null || method.startsWith(NOTIFICATION)) {
    return c.body(null, 202)
  }
  return c.json({ jsonrpc: '2.0', id, ...(await callMethod(c, { ...message, method }, server)) } satisfies RpcAnswer)
}

type Result = Pick<RpcAnswer, 'result' | 'error'>

async function callMethod(
  c: Context<AppEnv>,
  { method, params }: RpcMessage & { method: string },
  { readTools, keyHash }: Server,
): Promise<Result> {
  switch (method) {
    case 'initialize':
      return { result: hello(params?.protocolVersion) }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return { result: { tools: (await readTools()).map(({ tool }) => tool) } }
    case 'tools/call': {
      const served = (await readTools()).find(({ tool }) => tool.name === params?.name)
      if (!served) return failure(RPC_ERRORS.invalidParams, `There is no tool "${params?.name ?? ''}"`)
      return callTool(c, { ...served, keyHash }, params?.arguments ?? {})
    }
    default:
      return failure(RPC_ERRORS.unknownMethod, `The method "${method}" is not supported`)
  }
}

const failure = (code: number, message: string): Result => ({ error: { code, message } })

function hello(asked: string | undefined) {
  const [newest] = MCP_VERSIONS
  return {
    protocolVersion: MCP_VERSIONS.find((version) => version === asked) ?? newest,
    capabilities: { tools: {} },
    serverInfo: { name: 'heddle', version: VERSION },
  }
}

type Called = ServedTool & Pick<Server, 'keyHash'>

async function callTool(c: Context<AppEnv>, called: Called, given: unknown): Promise<Result> {
  const asked = readArguments(called.tool, given)
  if (typeof asked === 'string') return failure(RPC_ERRORS.invalidParams, asked)
  try {
    return { result: await run(c, called, predictionSchema.parse(asked)) }
  } catch (error) {
    // A model reads what it has to change; a client reads that it has to wait.
    if (!(error instanceof HeddleError) || error.code === 'rate_limited') throw error
    return { result: toolResult(error.message, true) }
  }
}

async function run(c: Context<AppEnv>, { flowId, keyHash }: Called, body: Prediction) {
  const services = c.get('services')
  const call = await loadRunContext(services, { flowId, body, chatType: 'EXTERNAL' }, keyHash)
  const { flow } = call.runContext
  await countCall(c, flow, { isAnonymous: false })
  if (keyHash === undefined) assertRecordsLeft(services, call.runContext)
  const start = await prepareRun(c, call)
  const { executionId } = start
  const since = services.clock.now()
  const running = runFlow(services, start, {
    emit() {},
    signal: c.req.raw.signal,
    ...(keyHash === undefined && {
      closing: ({ text: answer }) => runStatements(services, flow, { executionId, answer, since }),
    }),
  })
  c.executionCtx.waitUntil(running.catch((error: unknown) => console.error('after a tool call:', errorReport(error))))
  const end = await running
  return hasFailed(end) ? toolResult(end.error ?? 'The run failed', true) : toolResult(end.text, false)
}

const toolResult = (text: string, isError: boolean) => ({
  content: [{ type: 'text', text }],
  ...(isError && { isError }),
})
