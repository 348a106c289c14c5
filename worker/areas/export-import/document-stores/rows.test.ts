import { expect, it } from 'vitest'
import { MAX_COMPONENT_CHARS } from '#contract/document-stores/limits.ts'
import { storeRow } from './rows.ts'

it.each(['embeddingConfig', 'vectorStoreConfig', 'recordManagerConfig'])('bounds %s as edits do', (field) => {
  const issuesOf = (length: number) => {
    const frame = JSON.stringify({ name: 'x', config: { text: '' } }).length
    const choice = { name: 'x', config: { text: 'x'.repeat(length - frame) } }
    return [choice, JSON.stringify(choice)].map((value) =>
      storeRow
        .safeParse({ name: 'Store', [field]: value })
        .error?.issues.map(({ path, message }) => `${path}: ${message}`),
    )
  }
  const refused = [`${field}: This may have at most 400,000 characters. Shorten it`]
  expect(issuesOf(MAX_COMPONENT_CHARS)).toEqual([undefined, undefined])
  expect(issuesOf(MAX_COMPONENT_CHARS + 1)).toEqual([refused, refused])
})
