/** A tool that an agent can call: its definition for the canvas, its schema for the model, and its code. One file per tool. */

import type { ComponentDefinition, CredentialDefinition, ParamOption } from '#contract/flow/params/definition.ts'
import type { Artifact } from '#contract/runs/artifacts.ts'
import type { UsageMetadata } from '#contract/runs/events.ts'
import type { Clock, Egress, Flows, OwnTools, Sandbox } from '../ports/types.ts'

export interface ToolContext {
  /** The tool's config on the canvas (`agentSelectedToolConfig`). */
  config: Record<string, unknown>
  credential: Record<string, unknown>
  egress: Egress
  clock: Clock
  sandbox: Sandbox
  flows: Flows
  own: OwnTools
  signal: AbortSignal
}

export interface CallableTool {
  /** The name for the model: letters, digits, `_`, `-`. */
  name: string
  description: string
  /** JSON Schema of the arguments, which are validated before `call`. */
  parameters: Record<string, unknown>
  /** True if a call may have a side effect. The log is made durable before it. */
  hasEffect: boolean
  /** The tool's output is the agent's answer, without another model call. */
  returnDirect?: boolean
  /** @param key idempotency key, stable across attempts of the step */
  call(args: Record<string, unknown>, key: string, step?: CallingStep): Promise<unknown>
  /** Closes resources that stay open between calls. */
  close?(): Promise<void>
}

/** The interface of a tool to the step that calls it. */
export interface CallingStep {
  /** The run's input as text. */
  question: string
  /** Charges usage of models inside the tool. */
  charge(usage: UsageMetadata): void
  /** Reports the source documents of the result. */
  cite(documents: readonly unknown[]): void
  /** Reports artifacts for people. The model gets only the text. */
  show(artifacts: readonly Artifact[]): void
  /** Returns those of `$input`, `$vars` and `$flow` that the code mentions. */
  globals(code: string): Record<string, unknown>
}

/** The context in which the canvas loads options. */
export type LoadContext = Pick<ToolContext, 'config' | 'credential' | 'egress' | 'own' | 'signal'>

export interface ToolType {
  definition: ComponentDefinition
  credential?: CredentialDefinition
  /** Loads the options of parameters with a `loadMethod` of this tool. Thrown errors are shown to the user. */
  loadMethods?: Record<string, (context: LoadContext) => Promise<ParamOption[]>>
  /** Returns the component's tools. */
  open(context: ToolContext): CallableTool[] | Promise<CallableTool[]>
}
