import type { FlowType } from '../flow-types.ts'

/** The facts of a kind that pages and areas need. Every page loads them, so they hold no rules. */
export interface KindFacts {
  /** As stored with each flow. */
  type: FlowType
  /** For people, singular: `Agent flow`. */
  label: string
  /** The initial name of a flow. */
  newName: string
  /** Exported files are called `<flow name> <suffix>.json`. */
  fileSuffix: string
  /** False for flows that are stored as they were imported. */
  isRunnable: boolean
  /** What draws its flows: people on a canvas, or a form. Null for flows that stay as they were imported. */
  editor: 'canvas' | 'form' | null
  /** The area whose permissions guard its flows: `agentflows:view`. */
  permissions: 'agentflows' | 'assistants' | 'chatflows'
  /** The list of an export that holds its flows. Kinds may share one: each flow names its type, or is of the first kind. */
  bundleKey: 'AgentFlow' | 'AgentFlowV2' | 'AssistantFlow' | 'ChatFlow'
  /** Routes: of all its flows, of one (the canvas: also of a new one), and of what was said to one. */
  pages: { list: string; flow: string | null; messages: string }
  /** How Flowise calls a template of it, and the section of the top bar that shows it. Null: flows cannot become templates. */
  template: { type: string; framework: string | null } | null
  /** What the canvas of a new flow loads first: its components, and what these use. */
  firstComponents: readonly string[]
  /** The route that designs a flow from a description; null where none does. */
  generator: string | null
  /** True for flows with vector stores that are filled before anybody asks. */
  fillsStores: boolean
  /** What callers receive: the answer with every step, or the answer alone with its sources and tools. */
  answersAs: 'steps' | 'chat'
}
