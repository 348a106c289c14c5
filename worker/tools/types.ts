/** A tool that an agent may call: its definition for the canvas, its schema for the model, and its work. One file per tool. */
import type { Artifact } from '#contract/artifacts.ts'
import type { UsageMetadata } from '#contract/events.ts'
import type { ComponentDefinition, CredentialDefinition, ParamOption } from '#contract/flow/params/definition.ts'
import type { Flows } from '../nodes/types.ts'
import type { Clock, Egress, Sandbox } from '../ports/types.ts'

export interface ToolContext {
  /** The tool's config on the canvas (`agentSelectedToolConfig`). */
  config: Record<string, unknown>
  credential: Record<string, unknown>
  egress: Egress
  clock: Clock
  sandbox: Sandbox
  flows: Flows
  signal: AbortSignal
}

export interface CallableTool {
  /** The name the model sees: letters, digits, `_`, `-`. */
  name: string
  description: string
  /** JSON Schema of the arguments; arguments are checked against it before `call`. */
  parameters: Record<string, unknown>
  /** Whether a call may change something outside: the log is made durable before it. */
  hasEffect: boolean
  /** Its answer is the agent's answer: the model is not asked again. */
  returnDirect?: boolean
  /** @param key for calls with an effect outside: the same for every attempt of the same call of the same step */
  call(args: Record<string, unknown>, key: string, step?: CallingStep): Promise<unknown>
  /** Ends what stays open between calls: a connection. */
  close?(): Promise<void>
}

/** What a tool may know of the step that calls it, and tell it beside its answer. */
export interface CallingStep {
  /** The run's input as text. */
  question: string
  /** Counts what models used on the tool's behalf. */
  charge(usage: UsageMetadata): void
  /** Names the documents that the answer stands on. */
  cite(documents: readonly unknown[]): void
  /** Hands on what a person may look at; the model gets the answer's words alone. */
  show(artifacts: readonly Artifact[]): void
}

/** What is known when the canvas asks for choices. */
export type LoadContext = Pick<ToolContext, 'config' | 'credential' | 'egress' | 'signal'>

export interface ToolType {
  definition: ComponentDefinition
  credential?: CredentialDefinition
  /** The choices of parameters that have a `loadMethod` of the tool's own. An Error that is thrown is shown to the person. */
  loadMethods?: Record<string, (context: LoadContext) => Promise<ParamOption[]>>
  /** A component may yield several tools. */
  open(context: ToolContext): CallableTool[] | Promise<CallableTool[]>
}
