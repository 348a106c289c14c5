import { createContext, useContext } from 'react'
import type { ComponentDefinition, InputParam, ParamOption } from '#contract/flow/params/definition.ts'
import type { Inputs } from '#contract/flow/params/params.ts'
import type { Suggestion } from '#contract/flow/references/suggestions.ts'

/** What happened to an array's items, where a new value alone does not tell. */
export type ArrayMove = { added: Record<string, unknown> } | { order: readonly number[] }

/** New values by input name; `undefined` takes a value away. */
export type Patch = Record<string, unknown>

/** The control of one input-parameter type. The label, help and error around it are `ParamField`'s. */
export interface InputProps {
  /** The DOM id of the control; its label points at it. */
  id: string
  param: InputParam
  value: unknown
  onChange: (value: unknown, move?: ArrayMove) => void
  /** Called when the person leaves the control. */
  onDone: () => void
  scope: Scope
}

/** Where a parameter's conditions are read, and where the values beside it are. */
export interface Scope {
  /** The parameters of the whole form. */
  params: readonly InputParam[]
  /** The values of the whole form. */
  inputs: Inputs
  /** Inside an array: which item of which parameter. */
  at?: { array: string; index: number }
}

/** What the inputs know of the world around their form. */
export interface InputWorld {
  /** A component (model, tool) by name. */
  component(name: string): ComponentDefinition | undefined
  /** The choices of an asynchronous list that are known here; undefined = ask the server. */
  knownOptions(param: InputParam): readonly ParamOption[] | undefined
  /** The name of the component whose form this is: the server is asked for its lists. */
  owner: string
  /** The node whose form it is, and those above it, as a list of the server may depend on them. */
  node(): WorldNode | undefined
  previousNodes(): WorldNode[]
  /** The stored flow that is edited. */
  flowId: string | undefined
  /** What may be referred to in a text of this parameter. */
  suggestions(param: InputParam): readonly Suggestion[]
}

export interface WorldNode {
  id: string
  name: string
  label: string
  inputs: Record<string, unknown>
}

const empty: InputWorld = {
  node: () => undefined,
  previousNodes: () => [],
  flowId: undefined,
  component: () => undefined,
  knownOptions: () => undefined,
  owner: '',
  suggestions: () => [],
}

const InputWorldContext = createContext<InputWorld>(empty)

export const InputWorldProvider = InputWorldContext.Provider

export const useInputWorld = (): InputWorld => useContext(InputWorldContext)

/** What a text control shows for a stored value. */
export const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
