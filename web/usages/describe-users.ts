import type { Usages } from '#contract/usages/usages.ts'

/**
 * Returns what a deletion breaks: "Used by Support triage and 2 more. They will fail until you …".
 * @param until what mends it: `you choose another credential`
 */
export function describeUsers({ data, total }: Usages, until: string): string {
  if (total === 0) return 'Nothing uses it.'
  const whose = `${total === 1 ? 'It' : 'They'} will fail until ${until}.`
  return `Used by ${nameUsers({ data, total })}. ${whose}`
}

/** Returns the users' names: "Support triage and 2 more". There is at least one. */
export function nameUsers({ data, total }: Usages): string {
  const [first, second] = data
  if (!first) return `${total === 1 ? 'something' : `${total} items`} that you may not view`
  if (total === 1) return first.name
  if (total === 2 && second) return `${first.name} and ${second.name}`
  return `${first.name} and ${total - 1} more`
}
