/** Default choices of a new node, so that it can run unchanged. */
import { MODEL_CATEGORY } from '../params/categories.ts'
import type { ComponentDefinition, InputParam } from '../params/definition.ts'
import { type Inputs, isVisible, paramsOf } from '../params/params.ts'
import { defaultInputs } from './create.ts'
import type { FlowNode } from './document.ts'
import { CREDENTIAL_ID } from './serialize.ts'

/** A stored credential, without its secret. */
export interface KnownCredential {
  id: string
  /** Its type. */
  credentialName: string
}

export interface Choices {
  components: ReadonlyMap<string, ComponentDefinition>
  credentials: readonly KnownCredential[]
}

/**
 * Returns a new node with the only credential that fits it, if it needs one, and with a model: that of the only
 * credential that fits a model, or the one that needs no key when there is none.
 */
export function withFirstChoices(node: FlowNode, choices: Choices): FlowNode {
  const definition = choices.components.get(node.data.name)
  if (!definition) return node
  const inputs = { ...node.data.inputs, ...modelsFor(node, choices) }
  const credential = definition.credential?.optional ? undefined : onlyCredentialFor(definition, choices.credentials)
  return { ...node, data: { ...node.data, inputs, ...(credential && { credential: credential.id }) } }
}

/** Returns the only credential of the types that a component takes. */
export function onlyCredentialFor(
  { credential }: ComponentDefinition,
  credentials: readonly KnownCredential[],
): KnownCredential | undefined {
  const fitting = credentials.filter(({ credentialName }) => credential?.credentialNames?.includes(credentialName))
  return fitting.length === 1 ? fitting[0] : undefined
}

function modelsFor(node: FlowNode, choices: Choices): Inputs {
  const params = paramsOf(node)
  const inputs = node.data.inputs ?? {}
  const open = params.filter(
    (param) =>
      param.loadMethod === 'listModels' &&
      !param.optional &&
      inputs[param.name] === '' &&
      isVisible(param, { params, inputs }),
  )
  return Object.assign({}, ...open.map((param) => chosenModel(param, choices)))
}

/** Returns the model that an input chooses by itself, with its settings; {} when several would do. */
export function chosenModel({ name, loadConfig }: InputParam, { components, credentials }: Choices): Inputs {
  const models = [...components.values()].filter(({ category }) => category === MODEL_CATEGORY)
  const owned = credentials.filter((each) => models.some((model) => onlyCredentialFor(model, [each])))
  if (owned.length > 1) return {}
  const model = models.find((each) => (owned.length === 0 ? !each.credential : onlyCredentialFor(each, owned)))
  if (!model) return {}
  const config = {
    ...defaultInputs(model.inputs),
    ...(owned[0] && { [CREDENTIAL_ID]: owned[0].id }),
    [name]: model.name,
  }
  return { [name]: model.name, ...(loadConfig && { [`${name}Config`]: config }) }
}
