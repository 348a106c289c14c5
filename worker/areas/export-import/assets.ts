/** Tools, assistants and templates in a file: the schemas of their rows, and the items that exports contain. Pure. */
import * as z from 'zod'
import { parseFlowData } from '#contract/chatflows/chatflows.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { exportFlow, exportSettings } from '#contract/flow/document/serialize.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { templateTypeSchema } from '#contract/marketplaces/marketplaces.ts'
import type { assistants, customTemplates, tools } from '#db/schema/index.ts'
import { atMost, date, id, json } from './columns.ts'

export const ASSISTANT_KEYS = { AssistantCustom: 'CUSTOM', AssistantOpenAI: 'OPENAI', AssistantAzure: 'AZURE' } as const
export type AssistantKey = keyof typeof ASSISTANT_KEYS

/** Bytes of a column; a row has at most four that are as long. */
const MAX_BYTES = 1_000_000

const name = z.string().trim().min(1, 'Name is required').max(200)
const optionalText = z
  .string()
  .nullish()
  .check(atMost(MAX_BYTES))
  .transform((value) => value ?? null)
const shortJson = json.check(atMost(MAX_BYTES))

export const toolRow = z.object({
  id: id.optional(),
  name,
  description: z.string().check(atMost(MAX_BYTES)).default(''),
  color: z.string().max(1000).default(''),
  iconSrc: optionalText,
  schema: shortJson,
  func: optionalText,
})

/** JSON text of an object, or the object. */
const details = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  .check(atMost(MAX_BYTES))
  .refine((text) => isRecord(tryParseJson(text)), 'This is not the JSON text of an object')

export const assistantRow = z.object({
  id: id.optional(),
  details,
  credential: optionalText,
  iconSrc: optionalText,
})

/** Templates of tools have the columns of the tool in place of `flowData`. */
export const templateRow = z
  .object({
    id: id.optional(),
    name,
    flowData: z
      .string()
      .max(8 * MAX_BYTES)
      .optional(),
    description: optionalText,
    badge: optionalText,
    framework: optionalText,
    usecases: shortJson,
    type: templateTypeSchema,
    iconSrc: optionalText,
    schema: json,
    func: optionalText,
    createdDate: date.optional(),
  })
  .transform(({ iconSrc, schema, func, flowData, ...row }) => ({
    ...row,
    flowData:
      row.type === 'Tool' && flowData === undefined ? JSON.stringify({ iconSrc, schema, func }) : (flowData ?? ''),
  }))
  .refine(({ flowData, type }) => isTemplate(flowData, type), {
    path: ['flowData'],
    message: 'This is not a valid flow',
  })

export const TEMPLATE_KEYS = [
  ...['id', 'name', 'flowData', 'description', 'badge', 'framework', 'usecases', 'type', 'categories'],
  ...['iconSrc', 'schema', 'func', 'createdDate', 'updatedDate'],
]

function isTemplate(flowData: string, type: string): boolean {
  if (type === 'Tool') return isRecord(tryParseJson(flowData))
  try {
    parseFlowData(flowData)
    return true
  } catch {
    return false
  }
}

export type ToolRow = z.infer<typeof toolRow>
export type AssistantRow = z.infer<typeof assistantRow>
export type TemplateRow = z.infer<typeof templateRow>

type Without<Row> = Omit<Row, 'workspaceId' | 'createdDate' | 'updatedDate'>

export const toolItem = ({
  id,
  name,
  description,
  color,
  iconSrc,
  schema,
  func,
}: Without<typeof tools.$inferSelect>) => ({
  ...{ id, name, description, color, iconSrc, schema, func },
})

/** Returns an assistant for the export. As with flows, its credential is left out. */
export function assistantItem(
  { id, details, iconSrc, type }: Without<typeof assistants.$inferSelect>,
  components: readonly ComponentDefinition[],
) {
  const exported = JSON.stringify(exportSettings(tryParseJson(details) ?? {}, components))
  return { id, details: exported, credential: '', iconSrc, type }
}

type Template = Omit<typeof customTemplates.$inferSelect, 'workspaceId' | 'summary'> & { summary?: unknown }

export function templateItem(
  { flowData, summary: _, ...template }: Template,
  components: readonly ComponentDefinition[],
) {
  if (template.type !== 'Tool') {
    return { ...template, flowData: JSON.stringify(exportFlow(parseFlowData(flowData), components)) }
  }
  const { iconSrc, schema, func } = (tryParseJson(flowData) ?? {}) as Record<string, unknown>
  return { ...template, iconSrc, schema, func }
}
