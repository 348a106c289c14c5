/** The list of loaders as the picker shows it. Pure. */
import { LOADER_GROUPS } from '#contract/document-stores/loader-groups.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

interface LoaderGroup {
  title: string
  loaders: ComponentDefinition[]
}

/** Returns the loaders whose label, name or description contains every word of the search, by where they read from. */
export function loaderGroups(loaders: readonly ComponentDefinition[], search: string): LoaderGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = loaders.filter(({ label, name, description }) => {
    const text = `${label} ${name} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const groups = LOADER_GROUPS.map((title) => ({ title, loaders: found.filter(({ group }) => group === title) }))
  return groups.filter((group) => group.loaders.length > 0)
}

/** True when a preview reads what lies elsewhere: it is asked for by hand then. */
export const isRemote = ({ group }: ComponentDefinition): boolean => group === 'Web' || group === 'Apps and storage'
