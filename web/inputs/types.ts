import { type ComponentType, createContext, useContext } from 'react'
import type { ComponentDefinition, InputParam, ParamOption } from '#contract/flow/params/definition.ts'
import type { Inputs } from '#contract/flow/params/params.ts'
import type { NodeNames } from '#contract/flow/references/reference-names.ts'
import type { Suggestion } from '#contract/flow/references/suggestions.ts'

/** A change of an array's items that the new value alone doesn't reveal. */
export type ArrayMove = { added: Record<string, unknown> } | { order: readonly number[] }

/** New values by input name; `undefined` removes a value. */
export type Patch = Record<string, unknown>

/** Props of a control. `ParamField` renders its label, help text and error. */
export interface InputProps {
  /** The DOM id of the control, referenced by its label. */
  id: string
  param: InputParam
  value: unknown
  onChange: (value: unknown, move?: ArrayMove) => void
  /** Called when the control loses focus. */
  onDone: () => void
  scope: Scope
}

/** The selection in a text, as positions. */
export interface Caret {
  from: number
  to: number
}

/** Props of a control that holds fields of its own. */
export interface GroupInputProps extends InputProps {
  Field: ComponentType<FieldProps>
  /** Sets other values of the record that contains the parameter. */
  onPatch: (patch: Patch) => void
}

/** Props of `ParamField`. */
export interface FieldProps {
  /** Prefix of the DOM id: `<prefix>-<param name>`. */
  prefix: string
  param: InputParam
  /** Values of the record that contains the parameter. */
  values: Inputs
  scope: Scope
  onPatch: (patch: Patch, move?: ArrayMove) => void
  onDone: () => void
  error?: string
}

/** The form in which a parameter's conditions are evaluated. */
export interface Scope {
  /** The parameters of the whole form. */
  params: readonly InputParam[]
  /** The values of the whole form. */
  inputs: Inputs
  /** The item of an array parameter, for nested fields. */
  at?: { array: string; index: number }
}

/** The environment of a form's inputs. */
export interface InputEnvironment {
  /** Returns a component (model, tool) by name. */
  component(name: string): ComponentDefinition | undefined
  /** Returns options that are known without the server; undefined to load them. */
  knownOptions(param: InputParam): readonly ParamOption[] | undefined
  /** Name of the component that owns the form and loads its options. */
  owner: string
  /** The node of the form. Loaded options can depend on it and on previous nodes. */
  node(): FormNode | undefined
  previousNodes(): FormNode[]
  /** Id of the stored flow. */
  flowId: string | undefined
  /** Returns the references that a parameter's text can use. */
  suggestions(param: InputParam): readonly Suggestion[]
  /** Returns the labels of the flow's nodes. */
  nodeNames(): NodeNames
}

export interface FormNode {
  id: string
  name: string
  label: string
  inputs: Record<string, unknown>
}

const noNames: NodeNames = new Map()

const empty: InputEnvironment = {
  node: () => undefined,
  previousNodes: () => [],
  flowId: undefined,
  component: () => undefined,
  knownOptions: () => undefined,
  owner: '',
  suggestions: () => [],
  nodeNames: () => noNames,
}

const InputEnvironmentContext = createContext<InputEnvironment>(empty)

export const InputEnvironmentProvider = InputEnvironmentContext.Provider

export const useInputEnvironment = (): InputEnvironment => useContext(InputEnvironmentContext)

/** Returns the text of a stored value. */
export const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
