/**
 * What anyone who knows a flow's id may read: its streaming support, chat settings, uploads and start form. Each setting
 * that anonymous callers get is named in `visibleSettings`; nothing else leaves.
 */
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import {
  type ChatbotSettings,
  type PublicChatbotSettings,
  readChatbotSettings,
} from '#contract/chatflows/chatbot-config.ts'
import { type PublicChatbotConfig, parseFlowData } from '#contract/chatflows/chatflows.ts'
import { HeddleError } from '#contract/errors.ts'
import type { FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { type AllowedUploads, allowedUploads, parseSpeechToText } from '#contract/predictions/uploads.ts'
import { parseTextToSpeech } from '#contract/speech/speech.ts'
import type { Database } from '#db/client.ts'
import { chatflows, flowVersions } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse } from '#db/scope.ts'
import type { AppEnv } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { assertMayCall } from './callers.ts'

type Config = Record<string, unknown>

/** A flow with its published data, or its draft when it was never published. */
export type PublicFlow = Awaited<ReturnType<typeof publicFlows>>[number]

export async function findPublicFlow({ db }: Pick<Services, 'db'>, id: string): Promise<PublicFlow | undefined> {
  const [row] = await publicFlows(db, eq(chatflows.id, id))
  return row
}

/** Throws what `assertMayCall` throws. */
export async function readPublicFlow(c: Context<AppEnv>, id: string): Promise<PublicFlow> {
  return assertMayCall(c, await findPublicFlow(c.get('services'), id))
}

const MAX_SERVED = 100

/** Returns the flows of a workspace that are offered over MCP, oldest first. */
export async function listServedFlows({ db }: Pick<Services, 'db'>, workspaceId: string): Promise<PublicFlow[]> {
  const isOffered = sql`json_extract(${chatflows.mcpServer}, '$.enabled')`
  return publicFlows(db, and(eq(chatflows.workspaceId, workspaceId), isOffered))
    .orderBy(chatflows.createdDate, chatflows.id)
    .limit(MAX_SERVED)
}

/** Returns the drawing and start form of a shared flow. Throws `not_found` when the flow is not shared. */
export async function readSharedFlow({ db }: Pick<Services, 'db'>, id: string) {
  const [row] = await publicFlows(db, and(eq(chatflows.id, id), eq(chatflows.isPublic, true)))
  if (!row) throw new HeddleError('not_found', `Flow ${id} not found`)
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    isPublic: true,
    flowData: JSON.stringify(drawing(row)),
    chatbotConfig: JSON.stringify(visibleSettings(row)),
    category: row.category,
    createdDate: row.createdDate,
    updatedDate: row.updatedDate,
  }
}

/** Flows that run stream, unless post-processing changes their answer. */
export function canStream(row: PublicFlow): boolean {
  return kindOf(row.type).isRunnable && !readChatbotSettings(row.chatbotConfig).postProcessing.enabled
}

/** Returns the uploads that callers may send with a question. */
export function uploadsOf({ flowData, speechToText }: Pick<PublicFlow, 'flowData' | 'speechToText'>): AllowedUploads {
  return allowedUploads(parseFlowData(flowData), {
    isSpeechToTextEnabled: parseSpeechToText(speechToText) !== undefined,
  })
}

/** Settings for a chat page or widget, without prompts and secrets. */
export function publicChatbotConfig(row: PublicFlow): PublicChatbotConfig {
  return {
    ...visibleSettings(row),
    uploads: uploadsOf(row),
    flowData: JSON.stringify({ nodes: startDrawing(row), edges: [] }),
    isTTSEnabled: parseTextToSpeech(row.textToSpeech) !== undefined,
  }
}

const { summary: _, ...publicColumns } = getTableColumns(chatflows)

/** Selects the published data, or the draft of flows that were never published. */
function publicFlows(db: Database, condition: SQL | undefined) {
  const flowData = sql<string>`coalesce(${flowVersions.flowData}, ${chatflows.flowData})`
  return acrossWorkspaces(db, 'a public call names a flow by id and gets what the flow makes public')
    .select({ ...publicColumns, flowData })
    .from(chatflows)
    .leftJoin(
      flowVersions,
      and(eq(flowVersions.flowId, chatflows.id), eq(flowVersions.version, chatflows.publishedVersion)),
    )
    .where(and(condition, isInUse(chatflows.workspaceId)))
}

export function parseConfig(text: string | null): Config {
  if (!text) return {}
  const config: unknown = JSON.parse(text)
  return typeof config === 'object' && config !== null ? (config as Config) : {}
}

function visibleSettings({ chatbotConfig }: Pick<PublicFlow, 'chatbotConfig'>): PublicChatbotSettings {
  const settings = readChatbotSettings(chatbotConfig)
  return {
    title: settings.title,
    titleAvatarSrc: settings.titleAvatarSrc,
    titleBackgroundColor: settings.titleBackgroundColor,
    titleTextColor: settings.titleTextColor,
    welcomeMessage: settings.welcomeMessage,
    errorMessage: settings.errorMessage,
    backgroundColor: settings.backgroundColor,
    fontSize: settings.fontSize,
    starterPromptFontSize: settings.starterPromptFontSize,
    poweredByTextColor: settings.poweredByTextColor,
    showAgentMessages: settings.showAgentMessages,
    sourceDocsTitle: settings.sourceDocsTitle,
    botMessage: settings.botMessage,
    userMessage: settings.userMessage,
    textInput: settings.textInput,
    footer: settings.footer,
    button: settings.button,
    starterPrompts: Object.fromEntries(settings.starterPrompts.map((prompt, index) => [index, { prompt }])),
    chatFeedback: settings.chatFeedback,
    leads: settings.leads,
    followUpPrompts: settings.followUpPrompts,
    fullFileUpload: publicFileUpload(settings),
    overrideConfig: settings.overrideConfig,
  }
}

const publicFileUpload = ({ fullFileUpload: { fetchUrls: _, ...shown } }: ChatbotSettings) => shown

const FORM_INPUTS = ['startInputType', 'formTitle', 'formDescription', 'formInputTypes']

/** Everything needed to draw the flow; of the nodes' inputs only the start form. */
function drawing({ type, flowData }: Pick<PublicFlow, 'type' | 'flowData'>) {
  const flow = parseFlowData(flowData)
  const start = kindOf(type).startNode(flow)
  return { nodes: flow.nodes.map((node) => drawnNode(node, node === start)), edges: flow.edges.map(drawnEdge) }
}

/** The start node alone, where there is one. */
function startDrawing({ type, flowData }: Pick<PublicFlow, 'type' | 'flowData'>) {
  const start = kindOf(type).startNode(parseFlowData(flowData))
  return start ? [drawnNode(start, true)] : []
}

function drawnNode(node: FlowNode, isStart: boolean) {
  const { id, type, position, width, height, parentNode, extent, data } = node
  const { name, label, color, hideInput } = data
  const outputAnchors = data.outputAnchors?.map((anchor) => ({ id: anchor.id, name: anchor.name, label: anchor.label }))
  const inputs = isStart ? FORM_INPUTS.map((input) => [input, data.inputs?.[input]]) : []
  return {
    id,
    type,
    position: { x: position.x, y: position.y },
    width,
    height,
    parentNode,
    extent,
    data: { id: data.id, name, label, color, hideInput, outputAnchors, inputs: Object.fromEntries(inputs) },
  }
}

function drawnEdge({ id, source, sourceHandle, target, targetHandle, type }: FlowEdge) {
  return { id, source, sourceHandle, target, targetHandle, type }
}
