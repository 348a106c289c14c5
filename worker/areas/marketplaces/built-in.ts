/** The templates that come with the product. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'
import {
  type BuiltInTemplate,
  frameworksOf,
  type GalleryItem,
  type TemplateDetail,
  templateTypeOf,
} from '#contract/marketplaces/marketplaces.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import type { Template } from '../../templates/types.ts'
import { sketchFlow } from '../chatflows/index.ts'
import { categoriesOf } from './categories.ts'

interface DrawnTemplate {
  item: GalleryItem
  flowData: string
  question: string | null
}

let templatesById: ReadonlyMap<string, DrawnTemplate> | undefined

/** Loaded and drawn once, when somebody asks for them: a template does not change while the worker runs. */
async function all(): Promise<ReadonlyMap<string, DrawnTemplate>> {
  if (templatesById) return templatesById
  const { templates } = await import('../../templates/index.ts')
  const { drawTemplate, kindOfTemplate } = await import('../../templates/draw-template.ts')
  const definitions = componentDefinitions()
  templatesById = new Map(
    templates.map((template) => {
      const { type } = kindOfTemplate(template)
      return [template.id, toDrawnTemplate(template, drawTemplate(template, definitions), type)]
    }),
  )
  return templatesById
}

export const builtInGallery = async (): Promise<GalleryItem[]> => [...(await all()).values()].map(({ item }) => item)

export async function builtInTemplates(): Promise<BuiltInTemplate[]> {
  return [...(await all()).values()].map(({ item, flowData }) => {
    const { id, templateName, description, badge, framework, usecases, categories, type } = item
    return { id, templateName, flowData, badge, framework, usecases, categories, type, description }
  })
}

export async function findBuiltIn(id: string): Promise<TemplateDetail | undefined> {
  const found = (await all()).get(id)
  return found && { ...found.item, flowData: found.flowData, question: found.question }
}

function toDrawnTemplate(drawing: Template, flow: FlowDocument, kind: FlowType): DrawnTemplate {
  const { id, name, description, usecases, isStarter, sample } = drawing
  const type = templateTypeOf(kind)
  if (!type) throw new Error(`Flows of the kind of template ${id} cannot become templates`)
  const sketch = sketchFlow(flow)
  const item: GalleryItem = {
    id,
    templateName: name,
    description,
    badge: isStarter ? 'Starter' : '',
    framework: frameworksOf(type),
    usecases: [...usecases],
    categories: categoriesOf(sketch),
    type,
    isCustom: false,
    isStarter: isStarter === true,
    sketch,
    updatedDate: null,
  }
  return { item, flowData: JSON.stringify(flow), question: 'question' in sample ? sample.question : null }
}
