/** Reads the items of a file (flows, assistants, templates, tools, variables, document stores) and decides what happens to each. Pure. */
import { HeddleError } from '#contract/errors.ts'
import {
  type Bundle,
  type Choice,
  FLOW_KEYS,
  type FlowItem,
  type ImportedItem,
} from '#contract/export-import/export-import.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { MAX_CUSTOM_TEMPLATES } from '#contract/marketplaces/marketplaces.ts'
import { MAX_VARIABLES, MAX_VARIABLES_BYTES, VARIABLES_FULL } from '#contract/variables/variables.ts'
import { openSource } from '../chatflows/index.ts'
import {
  ASSISTANT_KEYS,
  type AssistantKey,
  type AssistantRow,
  assistantItem,
  assistantRow,
  TEMPLATE_KEYS,
  type TemplateRow,
  type ToolRow,
  templateItem,
  templateRow,
  toolItem,
  toolRow,
} from './assets.ts'
import type { ChunkSums } from './document-stores/chunk-sums.ts'
import { decideStores, type StoresPresent } from './document-stores/plan-stores.ts'
import type { StoreRow } from './document-stores/rows.ts'
import { typeOfItem } from './flow-lists.ts'
import { contentOf, type Decided, decide, type Existing, flowContent } from './items.ts'
import { parseFlowId } from './plan-assistants.ts'
import { type VariableRow, variableRow } from './rows.ts'
import { readRows, type Taking } from './take-rows.ts'

export const ASSISTANT_KEY_NAMES = Object.keys(ASSISTANT_KEYS) as AssistantKey[]

interface ExistingVariable {
  id: string
  type: string
  value: string
  isSecret: boolean
}

/** The workspace's items that share an id or a name with the file. */
export interface Present {
  flows: ReadonlyMap<string, Existing>
  assistants: ReadonlyMap<string, Existing>
  templates: ReadonlyMap<string, Existing>
  /** The number of all its templates. */
  templateCount: number
  tools: ReadonlyMap<string, Existing>
  /** By name. */
  variables: ReadonlyMap<string, ExistingVariable>
  credentialIds: ReadonlySet<string>
  /** The ids of tools, MCP servers and assistants. */
  assetIds: ReadonlySet<string>
  stores: StoresPresent
}

export interface DecidedItems {
  flows: Decided<FlowItem>[]
  assistants: Decided<AssistantRow>[]
  templates: Decided<TemplateRow>[]
  tools: Decided<ToolRow>[]
  variables: Decided<VariableRow>[]
  stores: Decided<StoreRow>[]
}

interface Deciding extends Pick<Taking, 'list' | 'notes'> {
  present: Present
  components: readonly ComponentDefinition[]
  /** Sums of the chunks in the file. */
  chunks: ChunkSums
}

export function decideItems(bundle: Bundle, deciding: Deciding): DecidedItems {
  const assistants = ASSISTANT_KEY_NAMES.flatMap((key) => decideAssistants(bundle, key, deciding))
  return {
    flows: decideFlows(bundle, assistants, deciding),
    assistants,
    templates: decideTemplates(bundle, deciding),
    tools: decideTools(bundle, deciding),
    variables: decideVariables(bundle, deciding),
    stores: decideStores(bundle, deciding),
  }
}

/** Returns the items in the order of the file’s keys, without the flows of assistants that follow their assistant. */
export function reportedItems({
  flows,
  assistants,
  templates,
  tools,
  variables,
  stores,
}: DecidedItems): ImportedItem[] {
  const own = ownersOf(assistants)
  const shown = flows.filter(({ key, id }) => key !== 'AssistantFlow' || !own.has(id))
  return [...shown, ...assistants, ...templates, ...stores, ...tools, ...variables].map(({ item }) => item)
}

function decideFlows(
  bundle: Bundle,
  assistants: readonly Decided<AssistantRow>[],
  { present, components }: Deciding,
): Decided<FlowItem>[] {
  const seen = new Set<string>()
  const owners = ownersOf(assistants)
  return FLOW_KEYS.flatMap((key) =>
    bundle[key].map((row, index) => {
      const { id, name, flowData } = row
      if (seen.has(id)) throw wrong(`${key}.${index}.id`, `The id ${id} is used twice`)
      seen.add(id)
      const existing = present.flows.get(id)
      const sources = row.sources.map((file) => ({ name: file.name, digest: openSource(file).digest }))
      const content = existing && flowContent({ name, flowData, sources }, components)
      const owner = key === 'AssistantFlow' ? owners.get(id) : undefined
      const candidate = { key, type: typeOfItem(key, row), row, id, name, content, existing }
      return owner ? followed(candidate, owner) : decide(candidate, bundle.choices)
    }),
  )
}

/** Returns the items of custom assistants by the ids of their flows. */
function ownersOf(assistants: readonly Decided<AssistantRow>[]): Map<string, ImportedItem> {
  const custom = assistants.filter(({ key, id }) => key === 'AssistantCustom' && id !== '')
  return new Map(
    custom.flatMap(({ id, row, item }) => [id, parseFlowId(row.details) ?? id].map((flow) => [flow, item])),
  )
}

/** The flow of an assistant has its id, and goes where it goes. */
function followed(flow: Omit<Decided<FlowItem>, 'item'>, { choice, choices }: ImportedItem): Decided<FlowItem> {
  const { key, type, id, name, existing } = flow
  const own: Choice = choice === 'replace' && !existing ? 'new' : choice
  return {
    ...flow,
    item: { key, ...(type && { type }), id, name, found: existing ? 'different' : 'none', choice: own, choices },
  }
}

function decideAssistants(bundle: Bundle, key: AssistantKey, deciding: Deciding): Decided<AssistantRow>[] {
  const { present, components } = deciding
  const kept = [...Object.keys(assistantRow.shape), 'type']
  const type = ASSISTANT_KEYS[key]
  return withOnceUsedIds(readRows(bundle[key], { key, schema: assistantRow, kept }, deciding)).map((row) => {
    const { name } = JSON.parse(row.details) as { name?: unknown }
    const hasCredential = row.credential !== null && present.credentialIds.has(row.credential)
    return decide(
      {
        key,
        row,
        id: row.id ?? '',
        name: typeof name === 'string' && name !== '' ? name.slice(0, 200) : 'Assistant',
        content: contentOf(assistantItem({ ...row, id: '', type }, components)),
        existing: present.assistants.get(row.id ?? ''),
        needs: hasCredential ? undefined : 'Choose its credential',
      },
      bundle.choices,
    )
  })
}

const NO_ROOM = `A workspace can have ${MAX_CUSTOM_TEMPLATES.toLocaleString('en')} templates`

function decideTemplates(bundle: Bundle, deciding: Deciding): Decided<TemplateRow>[] {
  const { present, components } = deciding
  const rows = readRows(
    bundle.CustomTemplate,
    { key: 'CustomTemplate', schema: templateRow, kept: TEMPLATE_KEYS },
    deciding,
  )
  let room = MAX_CUSTOM_TEMPLATES - present.templateCount
  return withOnceUsedIds(rows).flatMap((row) => {
    const { id = '', name } = row
    if (!present.templates.has(id) && room-- <= 0) {
      deciding.list.add('CustomTemplate', row, NO_ROOM)
      return []
    }
    const content = contentOf(templateItem({ ...row, id, createdDate: '', updatedDate: '' }, components))
    return decide(
      { key: 'CustomTemplate', row, id, name, content, existing: present.templates.get(id) },
      bundle.choices,
    )
  })
}

function decideTools(bundle: Bundle, deciding: Deciding): Decided<ToolRow>[] {
  const rows = readRows(bundle.Tool, { key: 'Tool', schema: toolRow }, deciding)
  return withOnceUsedIds(rows).map((row) => {
    const { id = '', name } = row
    const content = contentOf(toolItem({ ...row, id }))
    return decide({ key: 'Tool', row, id, name, content, existing: deciding.present.tools.get(id) }, bundle.choices)
  })
}

function decideVariables(bundle: Bundle, deciding: Deciding): Decided<VariableRow>[] {
  const names = new Set<string>()
  const bytes = new Map([...deciding.present.variables].map(([name, { value }]) => [name, byteLength(value)]))
  let sum = [...bytes.values()].reduce((all, one) => all + one, 0)
  let count = bytes.size
  return withOnceUsedIds(readRows(bundle.Variable, { key: 'Variable', schema: variableRow }, deciding)).flatMap(
    (row) => {
      const { id = '', name, type, value } = row
      if (names.has(name)) {
        deciding.list.add('Variable', row, 'Another variable in the file has this name')
        return []
      }
      names.add(name)
      const more = byteLength(value) - (bytes.get(name) ?? 0)
      const added = bytes.has(name) ? 0 : 1
      if ((more > 0 && sum + more > MAX_VARIABLES_BYTES) || count + added > MAX_VARIABLES) {
        deciding.list.add('Variable', row, `value: ${VARIABLES_FULL}`)
        return []
      }
      sum += more
      count += added
      const found = deciding.present.variables.get(name)
      // Exports contain no values.
      const there = found && { type: found.type, value: value === '' ? '' : found.value }
      const existing: Existing | undefined = found && {
        key: 'Variable',
        id: found.id,
        content: contentOf({ ...there }),
        isKept: found.isSecret,
      }
      const needs = type === 'secret' || (type === 'static' && value === '') ? 'Set its value' : undefined
      return [
        decide(
          { key: 'Variable', row, id, name, content: contentOf({ type, value }), existing, needs },
          bundle.choices,
        ),
      ]
    },
  )
}

const byteLength = (text: string) => new TextEncoder().encode(text).length

/** Clears ids that an earlier row has. */
function withOnceUsedIds<Row extends { id?: string | undefined }>(rows: Row[]): Row[] {
  const seen = new Set<string>()
  return rows.map((row) => {
    if (row.id === undefined || !seen.has(row.id)) {
      if (row.id !== undefined) seen.add(row.id)
      return row
    }
    return { ...row, id: undefined }
  })
}

export const wrong = (field: string, message: string) =>
  new HeddleError('bad_request', `${field}: ${message}`, { field })
