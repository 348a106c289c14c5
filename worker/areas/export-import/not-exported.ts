/** Notes what an export leaves out, for the end of its file: only then all of it is known. */
import { MAX_NOT_EXPORTED, type NotExported } from '#contract/export-import/export-import.ts'

export interface NotExportedList {
  add(note: string): void
  entries(): NotExported[]
}

export function notExportedList(): NotExportedList {
  const notes: string[] = []
  let more = 0
  return {
    add(note) {
      if (notes.length < MAX_NOT_EXPORTED) notes.push(note)
      else more += 1
    },
    entries: () => [...notes, ...(more > 0 ? [`More (${more})`] : [])].map((note) => ({ note })),
  }
}
