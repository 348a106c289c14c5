/** The list of loaders as the picker shows it. Pure. */
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'

export interface LoaderGroup {
  title: string
  loaders: ComponentDefinition[]
}

const WEB = /web|sitemap|crawl|api/i

const GROUPS: [title: string, holds: (loader: ComponentDefinition) => boolean][] = [
  ['Files', ({ inputs }) => inputs.some(({ type }) => type === 'file')],
  ['Apps and storage', ({ credential, name }) => credential !== undefined && !WEB.test(name)],
  ['Web', ({ name }) => WEB.test(name)],
  ['Text', () => true],
]

/** Returns the loaders whose label, name or description contains every word of the search, by where they read from. */
export function loaderGroups(loaders: readonly ComponentDefinition[], search: string): LoaderGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = loaders.filter(({ label, name, description }) => {
    const text = `${label} ${name} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const groups = new Map(GROUPS.map(([title]) => [title, [] as ComponentDefinition[]]))
  for (const loader of found) groups.get(groupOf(loader))?.push(loader)
  return [...groups].flatMap(([title, loaders]) => (loaders.length > 0 ? [{ title, loaders }] : []))
}

const groupOf = (loader: ComponentDefinition) => GROUPS.find(([, holds]) => holds(loader))?.[0] ?? ''

/** True when a preview reads what lies elsewhere: it is asked for by hand then. */
export const isRemote = (loader: ComponentDefinition): boolean => {
  const group = groupOf(loader)
  return group === 'Web' || group === 'Apps and storage'
}
