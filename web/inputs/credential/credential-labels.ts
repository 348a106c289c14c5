import type { Credential } from '#contract/credentials.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Returns what each credential is called, by id: its name, and when it was created if others have the same name. */
export function credentialLabels(
  credentials: readonly Pick<Credential, 'id' | 'name' | 'createdDate'>[],
): Map<string, string> {
  const counts = new Map<string, number>()
  for (const { name } of credentials) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map(
    credentials.map(({ id, name, createdDate }) => {
      const isShared = (counts.get(name) ?? 0) > 1
      return [id, isShared ? `${name} (created ${exact.format(new Date(createdDate))})` : name]
    }),
  )
}
