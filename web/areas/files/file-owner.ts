import type { StoredFile } from '#contract/files/files.ts'

export type FileOwner = StoredFile['owner']

/** Returns what deleting a file of it does, as a sentence. */
export function whatFollows(owner: FileOwner): string {
  if (owner.kind === 'flow')
    return owner.chatId ? `It is removed from its chat in “${owner.name}”.` : `“${owner.name}” cannot read it any more.`
  const { name, loader, chunks } = owner
  if (!loader) return `No loader of “${name}” has read it yet.`
  const lost = chunks === 0 ? '' : ` with its ${chunks === 1 ? 'chunk' : `${chunks.toLocaleString('en')} chunks`}`
  const found = chunks === 0 ? '' : ', and searches of the store no longer find it'
  return `The loader “${loader.name}” of “${name}” loses this file${lost}${found}.`
}
