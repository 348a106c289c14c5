/** The templates that come with the product. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { BuiltInTemplate, GalleryItem, TemplateDetail } from '#contract/marketplaces.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { drawTemplate } from '../../templates/draw-template.ts'
import { templates } from '../../templates/index.ts'
import type { Template } from '../../templates/types.ts'
import { sketchOfFlow } from '../home/index.ts'
import { categoriesOf } from './categories.ts'

/** Agent flows belong to the section of the top bar with this name. */
export const FRAMEWORK = 'Langflow'

interface Drawn {
  item: GalleryItem
  flowData: string
  question: string | null
}

let drawn: ReadonlyMap<string, Drawn> | undefined

/** Drawn once: a template does not change while the worker runs. */
function all(): ReadonlyMap<string, Drawn> {
  if (drawn) return drawn
  const definitions = componentDefinitions()
  drawn = new Map(templates.map((template) => [template.id, drawnOf(template, drawTemplate(template, definitions))]))
  return drawn
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

function drawnOf({ id, type, name, description, usecases, isStarter, sample }: Template, flow: FlowDocument): Drawn {
  const sketch = sketchOfFlow(flow)
  const item: GalleryItem = {
    id,
    templateName: name,
    description,
    badge: isStarter ? 'Starter' : '',
    framework: type === 'CHATFLOW' ? [] : [FRAMEWORK],
    usecases: [...usecases],
    categories: categoriesOf(sketch),
    type: type === 'CHATFLOW' ? 'Chatflow' : 'AgentflowV2',
    isCustom: false,
    isStarter: isStarter === true,
    sketch,
    updatedDate: null,
  }
  return { item, flowData: JSON.stringify(flow), question: 'question' in sample ? sample.question : null }
}
