/** The ports: interfaces of the engine, nodes, models and tools to the outside. Each has one implementation in this folder. */

import type { MetadataFilter } from '#contract/document-stores/search.ts'
import type { ParamOption } from '#contract/flow/params/definition.ts'
import type { ScheduledBackups } from '#contract/health/health.ts'
import type { Artifact } from '#contract/runs/artifacts.ts'
import type { HumanAnswer, HumanInputAction, UsageMetadata, UsedTool } from '#contract/runs/events.ts'
import type { GuardedSecret } from './guarded-secrets.ts'

export interface Clock {
  now(): Date
  /** Resolves after this many milliseconds. Rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The program that runs the worker. */
export interface Machine {
  /** Never rejects. */
  read(): Promise<MachineState>
  /** Says how many runs the worker works on. */
  reportRuns(count: number): Promise<void>
}

export interface MachineState {
  /** It was asked to stop, and lets live runs end. */
  isStopping: boolean
  /** Memory of each of its processes, by their names. */
  residentBytes: Record<string, number>
  /** Undefined where no backup is made by schedule. */
  backups?: ScheduledBackups | undefined
}

/** Searches the workspace's document stores. */
export interface Knowledge {
  /** Returns documents, best match first. Throws an Error that names the store when it does not exist. */
  search(request: KnowledgeSearch): Promise<KnowledgeDocument[]>
  /** Returns all chunks of a store, in their order. Throws an Error that says what to do when there are too many. */
  documents(request: Pick<KnowledgeSearch, 'store' | 'signal'>): Promise<KnowledgeDocument[]>
}

export interface KnowledgeSearch {
  /** `<id>` or `<id>:<name>`, as stored in flows. */
  store: string
  query: string
  topK?: number
  filter?: MetadataFilter
  signal: AbortSignal
}

export interface KnowledgeDocument {
  pageContent: string
  metadata: Record<string, unknown>
  id?: string
}

/** The tools that the workspace added to the built-in ones. */
export interface OwnTools {
  /** Returns undefined when the workspace has no such tool. */
  tool(id: string): Promise<OwnTool | undefined>
  listTools(): Promise<ParamOption[]>
  /** Returns undefined when the workspace has no such server. */
  mcpServer(id: string): Promise<OwnMcpServer | undefined>
  listMcpServers(): Promise<ParamOption[]>
  /** Returns an assistant that lives at a provider; undefined when the workspace has none such. Throws an Error where its key is missing. */
  assistant(id: string): Promise<OwnAssistant | undefined>
}

/** An assistant at a provider, and how its API is called. */
export interface OwnAssistant {
  name: string
  /** The provider's. */
  id: string
  /** Without a slash at its end. */
  address: string
  headers: Record<string, string>
  /** Added to each path: empty, or with its question mark. */
  query: string
}

/** An MCP server of the workspace, with the headers that its requests carry. */
export interface OwnMcpServer {
  name: string
  url: string
  headers: Record<string, string>
}

/** A JavaScript function of the workspace, as stored. */
export interface OwnTool {
  name: string
  description: string
  /** JSON: the list of its parameters. */
  schema: string | null
  func: string | null
}

/** The bytes of files, by key. Every file has a row in the database, which says who may read it. */
export interface FileStorage {
  write(key: string, bytes: Uint8Array): Promise<void>
  /** Returns undefined when there is no such file. */
  read(key: string): Promise<Uint8Array | undefined>
  /** Returns up to `length` bytes from `offset`, and the size of the whole file; undefined when there is no such file. */
  readRange(
    key: string,
    range: { offset: number; length: number },
  ): Promise<{ bytes: Uint8Array; size: number } | undefined>
  /** Skips keys that do not exist. At most `MAX_DELETED_FILES`. */
  delete(keys: string[]): Promise<DeletedFiles>
}

/** Keys in neither list were not tried. */
export interface DeletedFiles {
  deleted: string[]
  /** Why is in the log, by key. */
  failed: string[]
}

/** Reads uploads of one flow. */
export interface Files {
  /** Returns undefined when the file no longer exists. */
  read(id: string): Promise<Uint8Array | undefined>
  /** Returns a file that belongs to the flow itself, not to one of its chats; undefined when there is none of this name. */
  ofFlow(name: string): Promise<{ mime: string; bytes: Uint8Array } | undefined>
}

/** Queries tables that a run has read. */
export interface Tables {
  /** Returns at most 200 rows, with the names of what was selected. Throws an Error that names what is wrong. */
  query(
    table: { columns: readonly string[]; rows: readonly (readonly (string | number | null)[])[] },
    query: RowsQuery,
  ): Promise<Record<string, unknown>[]>
}

/** A query that can only read one table. */
export interface RowsQuery {
  select: { column?: string; measure?: string }[]
  /** All must hold. */
  where?: { column: string; is: string; value?: string | number | null }[]
  groupBy?: string[]
  orderBy?: { column?: string; measure?: string; descending?: boolean }[]
  limit?: number
}

/** The documents that a flow's upserts have written into its vector stores, by namespace. */
export interface UpsertRecords {
  /** Returns those of the documents that are there. */
  known(namespace: string, ids: readonly string[]): Promise<Set<string>>
  /** Records documents, or that an upsert came to them again. */
  note(namespace: string, documents: readonly { id: string; source: string }[], now: Date): Promise<void>
  /** Returns documents that no upsert came to since then. @param sources only from these originals */
  left(namespace: string, since: Date, sources?: readonly string[]): Promise<string[]>
  forget(namespace: string, ids: readonly string[]): Promise<void>
}

export interface EgressLimits {
  timeoutMs?: number
  maxBytes?: number
}

/** Outgoing requests: http(s) only, private addresses blocked on every hop, limited size and time, 5 connections at once. */
export interface Egress {
  fetch(input: string | URL | Request, init?: RequestInit, limits?: EgressLimits): Promise<Response>
}

/** Outgoing requests of those who open credentials. */
export interface GuardedEgress extends Egress {
  /** From now on, requests that carry one of its texts are refused unless their host is one of its hosts. */
  guard(secret: GuardedSecret): void
}

export interface SandboxRequest {
  /** A JavaScript function body that can `await` and must `return`. */
  code: string
  /** Globals: `{ $input: 'hi' }` becomes `$input`. Values are plain data and are copied. */
  globals: Record<string, unknown>
  signal?: AbortSignal
  /** Awaited before a request with a side effect: any method except GET and HEAD. */
  beforeEffect?: () => Promise<void>
}

export interface SandboxResult {
  /** Plain data, copied from the sandbox. */
  value: unknown
  logs: string[]
}

/** Runs user code in an isolated interpreter with CPU, memory and output limits and no access to the host. */
export interface Sandbox {
  run(request: SandboxRequest): Promise<SandboxResult>
}

/** Ports of one incoming request, created for each because the connection limit is per request. */
export interface RequestPorts {
  egress: GuardedEgress
  sandbox: Sandbox
}

export interface Email {
  to: string
  subject: string
  text: string
}

/** Sends emails with an HTTP mail service, or into the outbox of this machine. */
export interface Mail {
  /** A service delivers them. */
  isConfigured: boolean
  /** A service delivers them, or the outbox keeps them for whoever runs the server. */
  takesEmails: boolean
  /** Throws an Error with the service's message when it rejects the email. */
  send(email: Email, egress: Egress): Promise<void>
}

/** Secrets at rest: AES-GCM with a key per workspace, wrapped by the master key. */
export interface Cipher {
  /** @returns a wrapped data key to store on a new workspace's row. */
  createWorkspaceKey(): Promise<string>
  encrypt(wrappedKey: string, plain: Record<string, unknown>): Promise<string>
  decrypt(wrappedKey: string, sealed: string): Promise<Record<string, unknown>>
  /** Encrypts what no workspace owns with the master key. It opens for the same purpose only: name whose it is. */
  seal(purpose: string, plain: string): Promise<string>
  open(purpose: string, sealed: string): Promise<string>
  /**
   * Returns what the previous master key sealed, sealed with the current one; undefined where it is already.
   * @param purpose absent: the value is a workspace's key
   */
  renew(sealed: string, purpose?: string): Promise<string | undefined>
}

/** Calls other flows of the workspace. Each call is a run of its own, with a depth limit and a cycle check. */
export interface Flows {
  /** Throws an Error that names the flow when it does not exist, would call itself, or is nested too deep. A second call with the same `key` resumes the first call's run. */
  run(call: FlowCall): Promise<FlowAnswer>
  /** Resumes a run that stopped for a person. Idempotent: the same answer to the same question counts once. */
  resume(call: {
    executionId: string
    actionId?: string
    answer: HumanAnswer
    signal: AbortSignal
    onFailure?: FlowCall['onFailure']
  }): Promise<FlowAnswer>
}

export interface FlowCall {
  flowId: string
  question: string
  overrideConfig?: Record<string, unknown>
  /** Identifies the call: the step's idempotency key and the index of the call in the step. */
  key: string
  signal: AbortSignal
  /** Called with the run's usage before the error of a failed run is thrown. */
  onFailure?(usage: UsageMetadata): void
}

export interface FlowAnswer {
  state: 'FINISHED' | 'STOPPED'
  executionId: string
  text: string
  /** STOPPED: the question for the person. */
  action?: HumanInputAction
  /** Usage of the called run so far, excluding what was reported to `onFailure`. */
  usage: UsageMetadata
  usedTools?: UsedTool[]
  artifacts?: Artifact[]
}
