/** The list of credential types as the picker shows it. Pure. */
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'

interface ProviderGroup {
  title: string
  definitions: CredentialDefinition[]
}

const TITLES: [title: string, holds: (definition: CredentialDefinition) => boolean][] = [
  ['Models', ({ category }) => category === 'Chat Models'],
  ['Accounts', ({ oauth }) => oauth === true],
  ['Tools', ({ category }) => category === 'Tools'],
  ['HTTP requests', () => true],
]

/** Returns the types whose label, name or use contains every word of the search, by what they are for. */
export function providerGroups(definitions: readonly CredentialDefinition[], search: string): ProviderGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = (definition: CredentialDefinition) => {
    const text = `${definition.label} ${definition.name} ${purposeOf(definition)}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const groups = new Map(TITLES.map(([title]) => [title, [] as CredentialDefinition[]]))
  for (const definition of definitions.filter(isFound)) groups.get(groupOf(definition))?.push(definition)
  return [...groups].flatMap(([title, found]) => (found.length > 0 ? [{ title, definitions: found }] : []))
}

/** Returns the title of a type's group. */
function groupOf(definition: CredentialDefinition): string {
  return TITLES.find(([, holds]) => holds(definition))?.[0] ?? ''
}

const MAX_NAMED = 3

/** Returns what uses a type: "For Gmail and HTTP". */
export function purposeOf({ usedBy = [] }: CredentialDefinition): string {
  if (usedBy.length === 0) return ''
  const more = usedBy.length - MAX_NAMED
  const named = more > 1 ? [...usedBy.slice(0, MAX_NAMED), `${more} more`] : usedBy
  return `For ${new Intl.ListFormat('en', { type: 'conjunction' }).format(named)}`
}
