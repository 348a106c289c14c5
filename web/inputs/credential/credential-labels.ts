import type { Credential } from '#contract/credentials/credentials.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/**
 * Returns what each credential is called, by id: its name, when it was created if others have the same name, and how its
 * id ends if they were created in the same second too.
 */
export function credentialLabels(
  credentials: readonly Pick<Credential, 'id' | 'name' | 'createdDate'>[],
): Map<string, string> {
  const created = credentials.map(({ createdDate }) => exact.format(new Date(createdDate)))
  const isNameShared = findShared(credentials.map(({ name }) => name))
  const isTimeShared = findShared(credentials.map(({ name }, at) => `${created[at]} ${name}`))
  return new Map(
    credentials.map(({ id, name }, at) => {
      if (!isNameShared[at]) return [id, name]
      return [id, `${name} (created ${created[at]}${isTimeShared[at] ? `, ID …${id.slice(-4)}` : ''})`]
    }),
  )
}

/** Says of each text whether it occurs more than once. */
function findShared(texts: readonly string[]): boolean[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return texts.map((text) => (counts.get(text) ?? 0) > 1)
}
