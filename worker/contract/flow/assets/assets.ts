/** Finds the assets of a workspace that a flow uses. */
import { isObject } from '../../data/json.ts'
import type { AssetKind } from '../../usages/usages.ts'
import type { FlowDocument } from '../document/document.ts'
import { parseTemplate } from '../references/references.ts'

export interface UsedAsset {
  kind: AssetKind
  /** The asset's id; of a variable, its name. */
  asset: string
}

/** One flow counts as a user of at most this many assets; a larger one only says so of the first. */
const MAX_ASSETS = 1000
const MAX_ID_LENGTH = 200

/** Inputs that name an asset, at any depth. */
const FIELDS: ReadonlyMap<string, AssetKind> = new Map([
  ['credential', 'credential'],
  ['FLOWISE_CREDENTIAL_ID', 'credential'],
  ['selectedTool', 'tool'],
  ['mcpServerId', 'mcpServer'],
  ['executeFlowSelectedFlow', 'flow'],
  ['documentStore', 'documentStore'],
  ['selectedStore', 'documentStore'],
  ['selectedAssistant', 'assistant'],
])

/** The flow that a tool calls. */
const FLOW_OF_TOOL = /^selected(?:Chat|Agent)flow$/

/** `$vars.name`, `$vars?.name` and `$vars["name"]` in code. A name that is computed cannot be seen. */
const IN_CODE = /\$vars(?:\??\.([\p{L}_$][\p{L}\p{N}_$]{0,99})|(?:\?\.)?\[["'`]([\p{L}\p{N}_-]{1,100})["'`]\])/gu

/** Returns each asset once. */
export function findAssets(document: Pick<FlowDocument, 'nodes'>): UsedAsset[] {
  const found = new Map<string, UsedAsset>()
  for (const { data } of document.nodes) {
    for (const used of assetsIn({ credential: data.credential, ...data.inputs })) {
      if (found.size >= MAX_ASSETS) return [...found.values()]
      found.set(`${used.kind}:${used.asset}`, used)
    }
  }
  return [...found.values()]
}

/** Returns the variables that a tool's code names. */
export function assetsOfCode(code: string): UsedAsset[] {
  const names = new Set(Array.from(variablesIn(code), ({ asset }) => asset))
  return [...names].slice(0, MAX_ASSETS).map((asset) => ({ kind: 'variable', asset }))
}

function* assetsIn(value: unknown): Generator<UsedAsset> {
  if (typeof value === 'string') yield* variablesIn(value)
  if (!isObject(value)) return
  for (const [key, inner] of Object.entries(value)) {
    const used = assetIn(key, inner)
    if (used && !isComponentChoice(key, value)) yield used
    yield* assetsIn(inner)
  }
}

function assetIn(key: string, value: unknown): UsedAsset | undefined {
  const kind = FIELDS.get(key) ?? (FLOW_OF_TOOL.test(key) ? 'flow' : undefined)
  if (!kind || typeof value !== 'string') return undefined
  // Document stores are chosen as `<id>:<name>`.
  const asset = (kind === 'documentStore' ? (value.split(':', 1)[0] as string) : value).trim()
  const isId = asset !== '' && asset.length <= MAX_ID_LENGTH && !asset.includes('{{')
  return isId ? { kind, asset } : undefined
}

/** In older Tool nodes `selectedTool` is the name of a component, whose inputs stand beside it. */
const isComponentChoice = (key: string, inputs: object) => Object.hasOwn(inputs, `${key}Config`)

function* variablesIn(text: string): Generator<UsedAsset> {
  if (!text.includes('$vars')) return
  for (const part of parseTemplate(text)) {
    if (part.kind === 'reference') {
      const [name] = part.path
      if (part.root === '$vars' && name !== undefined) yield { kind: 'variable', asset: String(name) }
    } else {
      for (const [, dotted, quoted] of part.text.matchAll(IN_CODE)) {
        yield { kind: 'variable', asset: (dotted ?? quoted) as string }
      }
    }
  }
}
