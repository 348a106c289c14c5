/** The outside world as the engine, nodes, models and tools see it. Each port has one implementation in this folder. */

export interface Clock {
  now(): Date
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The document stores of the workspace, as nodes search them. */
export interface Knowledge {
  /** Best first. Throws an Error that names the store when there is none of this id. */
  search(request: KnowledgeSearch): Promise<KnowledgeDocument[]>
}

export interface KnowledgeSearch {
  /** `<id>` or `<id>:<name>`, as flows keep it. */
  store: string
  query: string
  topK?: number
  signal: AbortSignal
}

export interface KnowledgeDocument {
  pageContent: string
  metadata: Record<string, unknown>
  id?: string
}

/** Files that came with the questions of one flow. */
export interface Files {
  /** Undefined when the file is not kept any more. */
  read(id: string): Promise<Uint8Array | undefined>
}

export interface EgressLimits {
  timeoutMs?: number
  maxBytes?: number
}

/** The only way out: http(s), private addresses refused on every hop, size and time bounded, at most 5 connections at once. */
export interface Egress {
  fetch(input: string | URL | Request, init?: RequestInit, limits?: EgressLimits): Promise<Response>
}

export interface SandboxRequest {
  /** A JavaScript function body: it may `await` and must `return`. */
  code: string
  /** Become globals: `{ $input: 'hi' }` is read as `$input`. Values are plain data, copied in. */
  globals: Record<string, unknown>
  signal?: AbortSignal
  /** Awaited before a request that may change something outside: anything but GET and HEAD. */
  beforeEffect?: () => Promise<void>
}

export interface SandboxResult {
  /** Plain data, copied out. */
  value: unknown
  logs: string[]
}

/** The only place where user code runs: an isolated interpreter with CPU, memory and output limits and no ambient authority. */
export interface Sandbox {
  run(request: SandboxRequest): Promise<SandboxResult>
}

/** The ways out of one incoming request: made anew for each, because the limit on connections is per request. */
export interface RequestPorts {
  egress: Egress
  sandbox: Sandbox
}

/** Sends letters by a service that takes them over HTTP. */
export interface Mail {
  isConfigured: boolean
  /** Throws an Error that says why the service did not take it. */
  send(letter: { to: string; subject: string; text: string }, egress: Egress): Promise<void>
}

/** Secrets at rest: AES-GCM with a key per workspace, wrapped by the master key. */
export interface Cipher {
  /** @returns a wrapped data key to store on a new workspace's row. */
  createWorkspaceKey(): Promise<string>
  encrypt(wrappedKey: string, plain: Record<string, unknown>): Promise<string>
  decrypt(wrappedKey: string, sealed: string): Promise<Record<string, unknown>>
}
