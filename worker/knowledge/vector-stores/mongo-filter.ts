/** Filters of stores that speak a part of the same language as we do: Pinecone and Chroma. */
import type { FilterTree } from '#contract/document-stores/filter.ts'
import { cannotFilter, withoutNot } from './remote-store.ts'

type Values = Record<string, unknown>

/** @param knowsExists whether the store has `$exists` */
export function mongoFilter(tree: FilterTree, { label, knowsExists }: { label: string; knowsExists: boolean }): Values {
  const translate = (part: FilterTree): Values => {
    switch (part.op) {
      case 'and':
      case 'or':
        return { [`$${part.op}`]: part.parts.map(translate) }
      case 'in':
      case 'nin':
        return { [part.field]: { [`$${part.op}`]: part.values } }
      case 'exists':
        if (!knowsExists) throw cannotFilter(label, '$exists')
        return { [part.field]: { $exists: part.value } }
      case 'eq':
      case 'ne':
        return { [part.field]: { [`$${part.op}`]: part.value } }
      case 'not':
        return translate(withoutNot(part))
      default:
        if (typeof part.value !== 'number') throw cannotFilter(label, `$${part.op} with text`)
        return { [part.field]: { [`$${part.op}`]: part.value } }
    }
  }
  return translate(tree)
}
