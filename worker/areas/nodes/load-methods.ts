/** Options that a parameter of the canvas loads (`loadMethod`). An unknown method has none. */
import { asc, desc, eq, gt, inArray } from 'drizzle-orm'
import { PROVIDER_TYPES, readProviderDetails } from '#contract/assistants/provider-assistants.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import { START } from '#contract/flow/kinds/agentflow/nodes.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { EMBEDDINGS_CATEGORY, MODEL_CATEGORY, TOOL_CATEGORIES } from '#contract/flow/params/categories.ts'
import type { ComponentDefinition, ParamOption } from '#contract/flow/params/definition.ts'
import { assistants, documentStores, roles, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations, scope, type Tenant } from '#db/scope.ts'
import { credentialIds } from '../../components/credentials.ts'
import { openWorkspaceComponents } from '../../components/workspace-components.ts'
import { knowledgeComponents } from '../../knowledge/index.ts'
import { vectorStores } from '../../knowledge/vector-stores/index.ts'
import { closeTools } from '../../llm/tool-calls.ts'
import { embedders } from '../../models/embeddings/index.ts'
import { models } from '../../models/index.ts'
import type { ComponentContext } from '../../providers/types.ts'
import type { Services } from '../../services.ts'
import { tools } from '../../tools/index.ts'
import type { LoadContext } from '../../tools/types.ts'
import { listFlowNames } from '../chatflows/index.ts'

type Values = Record<string, unknown>

/** A node of the canvas, as the browser sends it. */
interface CanvasNode {
  id?: string
  name?: string
  label?: string
  inputs?: Values
}

interface LoadCall {
  /** The owner of the parameter: a node, or a component that a node chose. */
  component: string
  method: string
  /** The component's values; `credential` where they do not name one. */
  inputs: Values
  credential?: string
  /** The node whose form is open. */
  currentNode?: CanvasNode
  /** The nodes before it. */
  previousNodes: CanvasNode[]
  /** The flow that is edited. */
  flowId?: string
}

interface LoadCaller {
  services: Services
  tenant: Tenant
  /** Flow types that the caller may view. */
  viewable: FlowType[]
  /** The caller may edit flows, and so use the workspace's secrets and the network. */
  mayEdit: boolean
}

type LoadMethod = (call: LoadCall, caller: LoadCaller) => ParamOption[] | Promise<ParamOption[]>

const MAX_LISTED = 1000

const methods: Record<string, LoadMethod> = {
  // Chat flows have parts of these categories that only work where they are connected.
  listModels: () => optionsIn(models, [MODEL_CATEGORY]),
  listEmbeddings: () => optionsIn(embedders, [EMBEDDINGS_CATEGORY]),
  // The embedded index is part of a document store.
  listVectorStores: () => vectorStores.filter((type) => type.open).map(({ definition }) => optionOf(definition)),
  listTools: () => optionsIn(tools, TOOL_CATEGORIES),
  listRuntimeStateKeys: ({ previousNodes }) =>
    previousNodes.flatMap(stateKeys).map((key) => ({ label: key, name: key })),
  listPreviousNodes: ({ previousNodes }) =>
    previousNodes.map(({ id = '', label = '' }) => ({ label, name: `${id}-${label}`, description: id })),
  listFlows: flowOptions,
  listChatflows: flowOptions,
  listAgentflows: flowOptions,
  listStores,
  listAssistants,
  listRoles,
  listToolInputArgs,
}

/** In the order of the categories. */
const optionsIn = (types: readonly { definition: ComponentDefinition }[], categories: readonly string[]) =>
  categories.flatMap((category) =>
    types.filter(({ definition }) => definition.category === category).map(({ definition }) => optionOf(definition)),
  )

/** Throws `bad_request` with the service's error, or `forbidden` when loading needs permission to edit flows. */
export async function loadOptions(call: LoadCall, caller: LoadCaller): Promise<ParamOption[]> {
  const own: WithOptions | undefined = [...tools, ...knowledgeComponents].find(
    ({ definition }) => definition.name === call.component,
  )
  if (own?.loadMethods && Object.hasOwn(own.loadMethods, call.method)) return ownOptions(own, call, caller)
  return Object.hasOwn(methods, call.method) ? (methods[call.method] as LoadMethod)(call, caller) : []
}

/** The shape of components with load methods of their own. */
interface WithOptions {
  definition: ComponentDefinition
  loadMethods?: Record<string, (context: LoadContext & ComponentContext) => Promise<ParamOption[]>>
}

/** Loads options with the component's own method, mostly from its service. */
async function ownOptions(component: WithOptions, call: LoadCall, caller: LoadCaller): Promise<ParamOption[]> {
  assertMayEdit(caller)
  const { clock } = caller.services
  const id = [call.inputs.FLOWISE_CREDENTIAL_ID, call.inputs.credential, call.credential].find(isFilled) ?? ''
  const components = await openWorkspaceComponents(caller.services, caller.tenant, [id])
  const { egress, signal, withVariables, readCredential, own, redact } = components
  return asBadRequest(redact, async () => {
    const credential = (component.definition.credential && (await readCredential(id))) ?? {}
    const config = withVariables({ ...defaultsOf(component.definition), ...call.inputs })
    return (await component.loadMethods?.[call.method]?.({ config, credential, egress, own, clock, signal })) ?? []
  })
}

/** Returns the arguments of the tools that a Tool node chose. */
async function listToolInputArgs({ currentNode, inputs }: LoadCall, caller: LoadCaller): Promise<ParamOption[]> {
  const values = currentNode?.inputs ?? inputs
  const choice = ['toolAgentflowSelectedTool', 'selectedTool'].find((name) => isFilled(values[name]))
  if (!choice) return []
  assertMayEdit(caller)
  const ids = credentialIds(values)
  const { open, signal, withVariables, redact } = await openWorkspaceComponents(caller.services, caller.tenant, ids)
  return asBadRequest(redact, async () => {
    const node = { id: currentNode?.id ?? 'node', inputs: withVariables(values) }
    const opened = await open(node, signal).tools(choice)
    await closeTools(opened)
    const properties = opened.flatMap(({ parameters }) => Object.entries(parameters.properties ?? {}))
    const byName = new Map(properties.map(([name, { description }]) => [name, { label: name, name, description }]))
    return [...byName.values()]
  })
}

/** Returns the flows that can be called. */
async function flowOptions({ flowId }: LoadCall, { services, tenant, viewable }: LoadCaller): Promise<ParamOption[]> {
  const flows = await listFlowNames(services, tenant, viewable)
  return flows
    .filter(({ id }) => id !== flowId)
    .map(({ id, name, type }) => ({ label: name, name: id, description: kindOf(type).label }))
}

/** Returns the assistants that live at a provider. */
async function listAssistants(_call: LoadCall, { services, tenant }: LoadCaller): Promise<ParamOption[]> {
  const rows = await scope(services.db, tenant)
    .select(assistants, inArray(assistants.type, PROVIDER_TYPES))
    .orderBy(desc(assistants.updatedDate), desc(assistants.id))
    .limit(MAX_LISTED)
  return rows.map(({ id, details }) => ({ label: readProviderDetails(details)?.name ?? id, name: id }))
}

/** Returns the document stores that have something to find, as nodes keep them: `<id>:<name>`. */
async function listStores(_call: LoadCall, { services, tenant }: LoadCaller): Promise<ParamOption[]> {
  const stores = await scope(services.db, tenant)
    .select(documentStores, gt(documentStores.totalChunks, 0))
    .orderBy(asc(documentStores.name), asc(documentStores.id))
    .limit(MAX_LISTED)
  return stores.map(({ id, name, description }) => ({ label: name, name: `${id}:${name}`, description }))
}

/**
 * Returns the roles that members of the workspace can have, by their names: each is the only one of its organization. A
 * former name stands for its role too, so it is offered with what the role is called now.
 */
async function listRoles(_call: LoadCall, { services, tenant }: LoadCaller): Promise<ParamOption[]> {
  const found = await acrossOrganizations(services.db, 'a workspace names its organization')
    .select({ name: roles.name, formerNames: roles.formerNames, description: roles.description })
    .from(roles)
    .innerJoin(workspaces, eq(workspaces.organizationId, roles.organizationId))
    .where(eq(workspaces.id, tenant.workspaceId))
    .orderBy(asc(roles.name))
    .limit(MAX_LISTED)
  return found.flatMap(({ name, formerNames, description }) => [
    { label: name, name, ...(description && { description }) },
    ...formerNames.map((former) => ({ label: `${former} (now ${name})`, name: former })),
  ])
}

/** Returns the result, or throws `bad_request` with the error, without the values of secret variables. */
async function asBadRequest<Result>(
  redact: <Value>(value: Value) => Value,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return redact(await work())
  } catch (error) {
    throw new HeddleError('bad_request', redact(errorMessage(error)))
  }
}

function assertMayEdit({ mayEdit }: LoadCaller): void {
  if (!mayEdit) throw new HeddleError('forbidden', 'You need permission to edit flows to load these options')
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== ''

const optionOf = ({ label, name, description }: ComponentDefinition): ParamOption => ({ label, name, description })

const defaultsOf = ({ inputs }: ComponentDefinition): Values =>
  Object.fromEntries(inputs.filter((input) => input.default !== undefined).map((input) => [input.name, input.default]))

function stateKeys({ name, inputs }: CanvasNode): string[] {
  if (name !== START || !Array.isArray(inputs?.startState)) return []
  return inputs.startState.map((entry: { key?: unknown } | null) => entry?.key).filter((key) => typeof key === 'string')
}
