/** Filters the gallery. Pure. */
import type { GalleryItem, TemplateType } from '#contract/marketplaces/marketplaces.ts'

export interface GalleryFilter {
  isCustom: boolean
  text: string
  type?: TemplateType
  framework?: string
  usecase?: string
}

/** Every word of the text must occur in the name, the description or the labels of a template. */
export function shownTemplates(all: readonly GalleryItem[], filter: GalleryFilter): GalleryItem[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  return all.filter((item) => {
    if (item.isCustom !== filter.isCustom) return false
    if (filter.type && item.type !== filter.type) return false
    if (filter.framework && !item.framework.includes(filter.framework)) return false
    if (filter.usecase && !item.usecases.includes(filter.usecase)) return false
    const text = [item.templateName, item.description, ...item.usecases, ...item.categories].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Returns the values that a filter offers, sorted. */
export function valuesOf<Value extends string>(
  all: readonly GalleryItem[],
  read: (item: GalleryItem) => readonly Value[],
): Value[] {
  return [...new Set(all.flatMap(read))].sort((a, b) => a.localeCompare(b))
}
