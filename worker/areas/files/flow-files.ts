/** The files that a flow's nodes read: sent with the flow as text, kept as files of the flow, and named in their place. */
import { and, eq, exists, inArray, notExists, sql } from 'drizzle-orm'
import { type FlowData, flowDataOf } from '#contract/chatflows/chatflows.ts'
import { sentInputs, sniffDocument, storedFileNames, storedInFlow } from '#contract/document-stores/file-inputs.ts'
import { HeddleError } from '#contract/errors.ts'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { TOOL_CATEGORIES } from '#contract/flow/params/categories.ts'
import { paramsOf } from '#contract/flow/params/params.ts'
import { cleanName, freeName, sniffMedia } from '#contract/predictions/uploads.ts'
import { chatflows, files } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { bytesOfInput } from '../../knowledge/sent-bytes.ts'
import { fileKey } from '../../ports/file-storage.ts'
import { FLOW_FILES, readFile } from '../../runs/inputs/run-files.ts'
import type { Services } from '../../services.ts'
import type { FlowSave, KeepFiles, UnsavedFlow } from '../chatflows/index.ts'
import { assertRoom, expectBytes, keepBytes, type NewFile, usedBytes } from './store.ts'

type FileRow = typeof files.$inferSelect

/** A file of the flow, in storage or about to be. */
interface FlowFile extends Pick<FileRow, 'id' | 'name' | 'mime' | 'size'> {
  /** Undefined when the bytes are lost. */
  read(): Promise<Uint8Array | undefined>
}

interface SentFiles {
  nodeId: string
  input: string
  sent: Omit<NewFile, 'mime'>[]
}

const MAX_NAME = 200
/** Each file of a save is compared with all others. */
const MAX_SENT = 500

/**
 * A file that the flow has already is not kept again. Files of tools stay in the flow, because their forms read them
 * before it is saved.
 * @throws HeddleError `bad_request` that names a damaged file, `too_large` for too many files or past the workspace's quota
 */
export const keepFlowFiles: KeepFiles = async (services, tenant, flow) => {
  const { flowData, version, copyOf } = flow
  const inputs = flowData.document.nodes.flatMap(findSentFiles)
  if (inputs.reduce((count, { sent }) => count + sent.length, 0) > MAX_SENT) throw tooMany()
  if (inputs.length === 0 && copyOf === undefined) return { flowData, saves: [], version }
  const { current, present, copied, used } = await readRows(services, tenant, flow)
  const isRefused = flow.id !== undefined && (current === undefined || (version ?? current) !== current)
  if (isRefused) return { flowData, saves: [], version }
  const { names, added } = await nameFiles(inputs, [...present, ...copied])
  const missing = [...copied, ...added]
  assertRoom(used, missing, 'flowData')
  await writeBytes(services, tenant, missing)
  return {
    flowData: names.size > 0 ? withNames(flowData.document, names) : flowData,
    saves: missing.length > 0 ? [addRows(missing, services.clock.now())] : [],
    // Of two saves at once only one adds files, so that a name stands for one of them.
    version: missing.length > 0 ? (version ?? current) : version,
  }
}

const tooMany = () =>
  new HeddleError(
    'too_large',
    `A flow can be saved with ${MAX_SENT} new files at once. Put more into a document store`,
    {
      field: 'flowData',
    },
  )

/** The inputs of a node that hold files as text. */
function findSentFiles(node: FlowNode): SentFiles[] {
  const { category = '', label, inputs = {} } = node.data
  if (TOOL_CATEGORIES.includes(category)) return []
  return fileParamsOf(node).flatMap(({ name: input, label: inputLabel }) => {
    const sent = sentInputs(inputs[input])
    if (!sent) return []
    const of = `${label || node.id}: ${inputLabel || input}`
    return [{ nodeId: node.id, input, sent: sent.map((file) => checked(file, of)) }]
  })
}

const fileParamsOf = (node: FlowNode) => paramsOf(node).filter(({ type }) => type === 'file')

function checked(file: NonNullable<ReturnType<typeof sentInputs>>[number], of: string): Omit<NewFile, 'mime'> {
  const bytes = bytesOfInput(file)
  if (file && bytes) return { name: shortened(cleanName(file.name)), bytes }
  throw new HeddleError('bad_request', `${of} holds a damaged file. Choose it again`, { field: 'flowData' })
}

/** Keeps the ending, by which readers tell formats apart. */
const shortened = (name: string) => (name.length > MAX_NAME ? name.slice(-MAX_NAME).toWellFormed() : name)

/** Reads what the flow has, what it is to take from another one, and how full the workspace is. */
async function readRows(
  { db, fileStorage }: Services,
  tenant: Tenant,
  { id = '', copyOf = '', flowData }: UnsavedFlow,
) {
  const rows = scope(db, tenant)
  const filesOf = (flowId: string) =>
    rows.select(files, and(eq(files.chatflowid, flowId), eq(files.chatId, FLOW_FILES)))
  const [heads, own, others, [used]] = await db.batch([
    db
      .select({ version: chatflows.version })
      .from(chatflows)
      .where(rows.inWorkspace(chatflows, eq(chatflows.id, id))),
    filesOf(id),
    filesOf(copyOf),
    usedBytes(db, tenant),
  ])
  const flowFile = (row: FileRow): FlowFile => ({ ...row, read: () => readFile(fileStorage, row) })
  const wanted = namedIn(flowData.document)
  const copied = (others as FileRow[]).filter(({ name }) => wanted.has(name))
  return {
    current: heads[0]?.version,
    present: (own as FileRow[]).map(flowFile),
    copied: copied.map((row): FlowFile => ({ ...flowFile(row), id: crypto.randomUUID() })),
    used: used?.bytes ?? 0,
  }
}

const namedIn = ({ nodes }: FlowDocument) =>
  new Set(
    nodes.flatMap((node) => fileParamsOf(node).flatMap(({ name }) => storedFileNames(node.data.inputs?.[name]) ?? [])),
  )

/** Returns the names of the files of each input, by node and input, and the files that the flow does not have yet. */
async function nameFiles(inputs: readonly SentFiles[], known: readonly FlowFile[]) {
  const added: FlowFile[] = []
  const names = new Map<string, Map<string, string[]>>()
  for (const { nodeId, input, sent } of inputs) {
    const ofInput: string[] = []
    for (const file of sent) {
      const all = [...known, ...added]
      const same = await findSame(file, all)
      const kept = same ?? newFile(file, all)
      if (!same) added.push(kept)
      ofInput.push(kept.name)
    }
    names.set(nodeId, (names.get(nodeId) ?? new Map()).set(input, ofInput))
  }
  return { names, added }
}

/** Finds the file as an earlier save kept it, perhaps under a numbered name. */
async function findSame({ name, bytes }: SentFiles['sent'][number], known: readonly FlowFile[]) {
  const dot = name.lastIndexOf('.')
  const stem = dot > 0 ? name.slice(0, dot) : name
  for (const file of known) {
    if (file.size !== bytes.length || !file.name.startsWith(stem)) continue
    const kept = await file.read()
    if (kept && Buffer.from(kept).equals(bytes)) return file
  }
  return undefined
}

function newFile({ name, bytes }: SentFiles['sent'][number], known: readonly FlowFile[]): FlowFile {
  return {
    id: crypto.randomUUID(),
    name: freeName(name, new Set(known.map((file) => file.name))),
    mime: sniffMedia(bytes) ?? sniffDocument(bytes, name) ?? 'application/octet-stream',
    size: bytes.length,
    read: async () => bytes,
  }
}

/** One after the other: copied files may be more than memory holds. */
async function writeBytes({ db, clock, fileStorage }: Services, tenant: Tenant, added: readonly FlowFile[]) {
  if (added.length === 0) return
  const keyOf = ({ id }: FlowFile) => fileKey({ workspaceId: tenant.workspaceId, id })
  await expectBytes(db, added.map(keyOf), clock.now())
  for (const file of added) {
    const bytes = await file.read()
    if (bytes) await fileStorage.write(keyOf(file), bytes)
  }
}

function withNames(flow: FlowDocument, names: ReadonlyMap<string, ReadonlyMap<string, string[]>>): FlowData {
  const nodes = flow.nodes.map((node) => {
    const inputs = [...(names.get(node.id) ?? [])].map(([input, kept]) => [input, storedInFlow(kept)])
    if (inputs.length === 0) return node
    return { ...node, data: { ...node.data, inputs: { ...node.data.inputs, ...Object.fromEntries(inputs) } } }
  })
  return flowDataOf(JSON.stringify({ ...flow, nodes }))
}

/**
 * Adds the rows in the batch of the save. A refused save leaves bytes without rows, which the minute job deletes: either
 * the flow holds other data, or the save that won has used the same names.
 */
const addRows =
  (added: readonly FlowFile[], now: Date): FlowSave =>
  (db, tenant, { id: flowId, flowData }) => {
    const rows = scope(db, tenant)
    const isSaved = and(eq(chatflows.id, flowId), eq(chatflows.flowData, flowData.text))
    const hasName = (name: string) =>
      rows.select(files, and(eq(files.chatflowid, flowId), eq(files.chatId, FLOW_FILES), eq(files.name, name)))
    const ids = added.map(({ id }) => id)
    const keys = ids.map((id) => fileKey({ workspaceId: tenant.workspaceId, id }))
    const areAdded = exists(rows.select(files, and(eq(files.chatflowid, flowId), inArray(files.id, ids))))
    const inserts = added.map(({ id, name, mime, size }) =>
      db.insert(files).select((query) =>
        query
          .select({
            id: sql<string>`${id}`.as('id'),
            workspaceId: chatflows.workspaceId,
            chatflowid: sql<string>`${chatflows.id}`.as('chatflowid'),
            chatId: sql<string>`${FLOW_FILES}`.as('chat_id'),
            name: sql<string>`${name}`.as('name'),
            mime: sql<string>`${mime}`.as('mime'),
            size: sql<number>`${size}`.as('size'),
            data: sql<null>`null`.as('data'),
            createdDate: sql<string>`${now.toISOString()}`.as('created_date'),
            expiresDate: sql<null>`null`.as('expires_date'),
          })
          .from(chatflows)
          .where(rows.inWorkspace(chatflows, and(isSaved, notExists(hasName(name))))),
      ),
    )
    return [...inserts, keepBytes(db, keys, areAdded)]
  }
