/** What nodes of chat flows hand to each other, by the type of the component. */
import type { MetadataFilter } from '#contract/document-stores/search.ts'
import type { MediaSupport } from '#contract/predictions/uploads.ts'
import type { ChatTurn, UsageMetadata } from '#contract/runs/events.ts'
import type { Piece, SourceDocument } from '../../knowledge/types.ts'
import type { Embeddings } from '../../models/embeddings/types.ts'
import type { OpenModel } from '../../models/types.ts'
import type { KnowledgeDocument } from '../../ports/types.ts'
import type { CallableTool } from '../../tools/types.ts'
import type { ConnectedComponent, OpenComponent, StepContext } from '../types.ts'

export interface ComponentTypes {
  model: ModelComponent
  embeddings: Embeddings
  prompt: PromptComponent
  memory: MemoryComponent
  /** One node may provide several tools. */
  tools: CallableTool[]
  splitter: (document: SourceDocument) => Piece[]
  documents: DocumentsComponent
  retriever: RetrieverComponent
  vectorStore: VectorStoreComponent
  route: RouteComponent
  outputParser: OutputParserComponent
  moderation: ModerationComponent
  chain: ChainComponent
  synthesizer: SynthesizerComponent
  records: RecordsComponent
  cache: CacheComponent
}

export interface ModelComponent {
  open: OpenModel
  /** Types of the files that the model gets. */
  media: MediaSupport
}

export interface PromptComponent {
  /** The names in braces, in their order. */
  variables: string[]
  /** The values that the node sets itself. */
  values: Readonly<Record<string, string>>
  /** A plain template is one user message. */
  messages(values: Readonly<Record<string, string>>): ChatTurn[]
  /** Where the conversation goes: before the message with this index. Absent: the prompt has no place for it. */
  historyAt?: number
}

interface MemoryComponent {
  /** The label of its node, as answers report it. */
  label: string
  /** The variable of prompts that holds the conversation. */
  key: string
  /** Returns the conversation so far, oldest first, without the current question. */
  read(model: OpenModel | undefined): Promise<{ turns: readonly ChatTurn[]; usage?: UsageMetadata }>
  /** Keeps the question and its answer. Absent where the messages of the session are the memory. */
  write?(turns: readonly ChatTurn[]): Promise<void>
}

export interface DocumentsComponent {
  /**
   * Reads the documents, cut where a splitter is connected. Throws an Error that says what to do.
   * @param onRead called for each file, page or record that was read
   */
  load(onRead?: () => void): Promise<KnowledgeDocument[]>
}

export interface RetrieverComponent {
  /** Returns documents, best match first. @param scope asks for more, or narrows the search, where the retriever can */
  search(query: string, scope?: SearchScope): Promise<KnowledgeDocument[]>
  /** The model that is connected to its store: engines of the LlamaIndex family answer with it. */
  model?: ModelComponent | undefined
}

export interface SearchScope {
  topK?: number
  filter?: MetadataFilter
}

export interface VectorStoreComponent {
  /** Returns documents with their scores, best match first. */
  find(query: string, scope?: SearchScope): Promise<{ document: KnowledgeDocument; score: number }[]>
  /** Returns the vectors of texts, as those of its documents are made. */
  embed(texts: string[]): Promise<Float32Array[]>
}

/** Knows what earlier upserts have written into a vector store. */
export interface RecordsComponent {
  /** Empty: the vector store's own. */
  namespace: string
  cleanup: Cleanup
  /** Metadata key that identifies the source. */
  sourceKey: string
}

/**
 * The documents that an upsert deletes: none, those left of the originals that it came to, or all that it did not
 * come to.
 */
export type Cleanup = 'none' | 'incremental' | 'full'

/** One of several ways to answer, between which a model chooses by the description. */
export interface RouteComponent {
  name: string
  description: string
  /** The system message of its answers. */
  system?: string
  /** Finds what its answers are based on. */
  retriever?: RetrieverComponent
  /** Answers by itself. */
  chain?: ChainComponent
}

export interface OutputParserComponent {
  /** What the model is told about the format; empty when `schema` says it. */
  instructions: string
  /** JSON Schema of an answer that is an object. */
  schema?: Record<string, unknown>
  /** Throws an Error that says what is wrong with the text. */
  parse(text: string): unknown
  /** One more try with what was wrong. */
  retries: boolean
}

interface ModerationComponent {
  /** Returns the text that is answered in place of the flow, or undefined. */
  refusal(text: string): Promise<string | undefined>
}

export interface ChainComponent {
  /**
   * Answers a question as the chain's own node would.
   * @param key its idempotency key, where it may be asked several times
   */
  ask(
    question: string,
    key?: string,
  ): Promise<{ text: string; sourceDocuments?: KnowledgeDocument[]; usage?: UsageMetadata }>
}

/** Writes one answer from several texts. */
export interface SynthesizerComponent {
  /** @param ask sends a message to the model; what it says to a last one is the answer */
  write(query: string, texts: readonly string[], ask: AskModel): Promise<string>
}

/** Texts by key. */
export interface CacheComponent {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
}

export type AskModel = (content: string, isLast: boolean) => Promise<string>

type ComponentType = keyof ComponentTypes

/** Returns a component with its type. */
export function toComponent<R extends ComponentType>(type: R, value: ComponentTypes[R]): OpenComponent {
  return { type, value }
}

/** Opens the component at an input. Undefined when nothing is connected. Throws an Error that names the input. */
export async function openComponentAt<R extends ComponentType>(context: StepContext, input: string, type: R) {
  const [first] = await openComponentsAt(context, input, type)
  return first
}

/** Like `openComponentAt`, for an input that must be connected. @param what for people: `a chat model` */
export async function requireComponent<R extends ComponentType>(
  context: StepContext,
  input: string,
  type: R,
  what: string,
) {
  const component = await openComponentAt(context, input, type)
  if (component === undefined) throw new Error(`Connect ${what}`)
  return component
}

/** Opens all components at an input, in their order. */
export async function openComponentsAt<R extends ComponentType>(
  context: StepContext,
  input: string,
  type: R,
): Promise<ComponentTypes[R][]> {
  return (await context.connected(input)).map((component) => asType(component, type))
}

function asType<R extends ComponentType>({ type, value, node }: ConnectedComponent, wanted: R): ComponentTypes[R] {
  if (type === wanted) return value as ComponentTypes[R]
  throw new Error(`${node.label} cannot be used here. Connect it elsewhere, or remove the connection.`)
}
