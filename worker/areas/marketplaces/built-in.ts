/** The templates that come with the product. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import {
  type BuiltInTemplate,
  frameworksOf,
  type GalleryItem,
  type TemplateDetail,
  templateTypeOf,
} from '#contract/marketplaces/marketplaces.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { drawTemplate, kindOfTemplate } from '../../templates/draw-template.ts'
import { templates } from '../../templates/index.ts'
import type { Template } from '../../templates/types.ts'
import { sketchOfFlow } from '../home/index.ts'
import { categoriesOf } from './categories.ts'

interface DrawnTemplate {
  item: GalleryItem
  flowData: string
  question: string | null
}

let templatesById: ReadonlyMap<string, DrawnTemplate> | undefined

/** Drawn once: a template does not change while the worker runs. */
function all(): ReadonlyMap<string, DrawnTemplate> {
  if (templatesById) return templatesById
  const definitions = componentDefinitions()
  templatesById = new Map(
    templates.map((template) => [template.id, toDrawnTemplate(template, drawTemplate(template, definitions))]),
  )
  return templatesById
}

export const builtInGallery = (): GalleryItem[] => [...all().values()].map(({ item }) => item)

export function builtInTemplates(): BuiltInTemplate[] {
  return [...all().values()].map(({ item, flowData }) => {
    const { id, templateName, description, badge, framework, usecases, categories, type } = item
    return { id, templateName, flowData, badge, framework, usecases, categories, type, description }
  })
}

export function findBuiltIn(id: string): TemplateDetail | undefined {
  const found = all().get(id)
  return found && { ...found.item, flowData: found.flowData, question: found.question }
}

function toDrawnTemplate(drawing: Template, flow: FlowDocument): DrawnTemplate {
  const { id, name, description, usecases, isStarter, sample } = drawing
  const type = templateTypeOf(kindOfTemplate(drawing).type)
  if (!type) throw new Error(`Flows of the kind of template ${id} cannot become templates`)
  const sketch = sketchOfFlow(flow)
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
