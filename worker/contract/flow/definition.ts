/** What a component (node type, chat model, tool, credential) says of itself; the shape of Flowise's `GET /nodes`. */

export interface ParamOption {
  label: string
  name: string
  description?: string
  show?: Conditions
  hide?: Conditions
  unsupported?: boolean
}

/** Input path → value, list of values or regex text; all keys must hold (compat 1.7). */
export type Conditions = Record<string, unknown>

export interface InputParam {
  label: string
  name: string
  type: string
  id?: string
  default?: unknown
  description?: string
  placeholder?: string
  warning?: string
  optional?: boolean
  acceptVariable?: boolean
  /** As of a component, where it concerns those alone who use this parameter. */
  hint?: string
  acceptNodeOutputAsVariable?: boolean
  /** Its text is JSON (while these conditions hold): values are put into it as JSON writes them. */
  holdsJson?: boolean | Conditions
  loadMethod?: string
  /** The choice brings its own inputs, stored beside it as `<name>Config`. */
  loadConfig?: boolean
  rows?: number
  step?: number
  minItems?: number
  options?: ParamOption[]
  array?: InputParam[]
  show?: Conditions
  hide?: Conditions
  display?: boolean
  /** Known from files, kept for them, and refused by a run: offered only where it already has a value. */
  unsupported?: boolean
  /** Of JSON: keys that no run supports. */
  unsupportedKeys?: string[]
  /** Under which name older files hold the value; its config too. */
  formerName?: string
  list?: boolean
  freeSolo?: boolean
  refresh?: boolean
  additionalParams?: boolean
  hideCodeExecute?: boolean
  codeLanguage?: string
  codeExample?: string
  generateInstruction?: boolean
  credentialNames?: string[]
  tabIdentifier?: string
}

export interface OutputDefinition {
  label: string
  name: string
  description?: string
  baseClasses?: string[]
  isAnchor?: boolean
  hidden?: boolean
}

export interface ComponentDefinition {
  label: string
  name: string
  version: number
  type: string
  category: string
  description: string
  baseClasses: string[]
  color?: string
  icon?: string
  tags?: string[]
  hideInput?: boolean
  hideOutput?: boolean
  credential?: InputParam
  inputs: InputParam[]
  outputs?: OutputDefinition[]
  /** What it does otherwise than the product whose files it takes. */
  hint?: string
  documentation?: string
  deprecateMessage?: string
}

/** A credential type: the form by which a secret is entered (`GET /components-credentials`). */
export interface CredentialDefinition {
  label: string
  name: string
  version: number
  description?: string
  inputs: InputParam[]
}
