/** Templates, in Flowise's public shape, and the gallery in which people choose one. */
import * as z from 'zod'
import type { FlowType } from '../flow/flow-types.ts'
import { CANVAS_TYPES, type CanvasFlowType, factsOf, type KIND_FACTS } from '../flow/kinds/facts.ts'
import { sketchSchema } from '../home/home.ts'
import { dateSchema } from '../schemas/responses.ts'

/** The product of a template: a tool, or a flow of a kind. `AgentflowV2` is an agent flow. */
export type TemplateType = FlowTemplateType | 'Tool'
type FlowTemplateType = {
  [Type in CanvasFlowType]: (typeof KIND_FACTS)[Type]['template']['type']
}[CanvasFlowType]

/** Returns undefined for flows that cannot become templates. */
export const templateTypeOf = (type: FlowType) => factsOf(type).template?.type as FlowTemplateType | undefined

export const TEMPLATE_TYPES: [TemplateType, ...TemplateType[]] = [
  'Tool',
  ...CANVAS_TYPES.flatMap((type) => templateTypeOf(type) ?? []),
]
export const templateTypeSchema = z.enum(TEMPLATE_TYPES)

/** Returns the type of the flows that a template makes; undefined for a tool. */
export const flowTypeOf = (template: TemplateType): CanvasFlowType | undefined =>
  CANVAS_TYPES.find((type) => templateTypeOf(type) === template)

/** Returns the sections of the top bar that a template belongs to. */
export function frameworksOf(template: TemplateType): string[] {
  const type = flowTypeOf(template)
  const framework = type && factsOf(type).template?.framework
  return framework ? [framework] : []
}

/** Custom templates of a workspace. */
export const MAX_CUSTOM_TEMPLATES = 1000
/** The most bytes of documents in a list. */
export const MAX_LISTED_DOCUMENT_BYTES = 4 * 1024 * 1024

const described = {
  templateName: z.string(),
  description: z.string().nullable(),
  badge: z.string(),
  framework: z.array(z.string()),
  usecases: z.array(z.string()),
  categories: z.array(z.string()).describe('The kinds of steps'),
  type: templateTypeSchema,
}

export const builtInTemplateSchema = z
  .object({ id: z.string(), ...described, flowData: z.string().describe('JSON text of the nodes and edges') })
  .meta({ id: 'Template' })

const toolParts = {
  iconSrc: z.string().max(200_000).nullish(),
  schema: z.string().max(200_000).nullish(),
  func: z.string().max(1_000_000).nullish(),
}

export const customTemplateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    ...described,
    flowData: z
      .string()
      .optional()
      .describe('JSON text of the nodes and edges; absent for tools, and past 4 MB of a list'),
    ...toolParts,
    workspaceId: z.string(),
    createdDate: dateSchema,
    updatedDate: dateSchema,
  })
  .meta({ id: 'CustomTemplate' })

const toolSchema = z.object(toolParts)

const details = {
  name: z.string().trim().min(1, 'Name is required').max(200),
  description: z.string().trim().max(2000).nullish(),
  badge: z.string().trim().max(40).nullish(),
  usecases: z.array(z.string().trim().min(1).max(60)).max(20).nullish(),
}

/** A template made from a flow or a tool. */
export const createTemplateSchema = z
  .object({
    ...details,
    type: templateTypeSchema,
    chatflowId: z.string().max(100).optional(),
    tool: toolSchema.optional(),
  })
  .superRefine(({ type, chatflowId, tool }, context) => {
    const [field, given] = type === 'Tool' ? ['tool', tool] : ['chatflowId', chatflowId]
    if (!given)
      context.addIssue({ code: 'custom', path: [field as string], message: `A template of type ${type} needs this` })
  })

/** A partial update. What the template contains cannot change. */
export const updateTemplateSchema = z.object({ ...details, name: details.name.optional() })

/** A template without its document. */
const galleryItemSchema = z.object({
  id: z.string(),
  ...described,
  isCustom: z.boolean(),
  isStarter: z.boolean().describe('True for a template to begin with'),
  sketch: sketchSchema,
  updatedDate: dateSchema.nullable(),
})

export const gallerySchema = z.object({ data: z.array(galleryItemSchema) }).meta({ id: 'TemplateGallery' })

/** One template with its document. */
export const templateDetailSchema = galleryItemSchema
  .extend({
    flowData: z.string().nullable().describe('JSON text of the nodes and edges; null for tools'),
    ...toolParts,
    question: z.string().nullable().describe('What to ask the flow first'),
  })
  .meta({ id: 'TemplateDetail' })

export type CreateTemplate = z.infer<typeof createTemplateSchema>
export type UpdateTemplate = z.infer<typeof updateTemplateSchema>
export type BuiltInTemplate = z.infer<typeof builtInTemplateSchema>
export type CustomTemplate = z.infer<typeof customTemplateSchema>
export type GalleryItem = z.infer<typeof galleryItemSchema>
export type Gallery = z.infer<typeof gallerySchema>
export type TemplateDetail = z.infer<typeof templateDetailSchema>
