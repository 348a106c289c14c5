/** A tool that an agent may call: its definition for the canvas, its schema for the model, and its work. One file per tool. */
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/definition.ts'
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
  /** @param key for calls with an effect outside: the same for every attempt of the same call of the same step */
  call(args: Record<string, unknown>, key: string): Promise<unknown>
}

export interface ToolType {
  definition: ComponentDefinition
  credential?: CredentialDefinition
  /** A component may yield several tools. */
  open(context: ToolContext): CallableTool[] | Promise<CallableTool[]>
}
