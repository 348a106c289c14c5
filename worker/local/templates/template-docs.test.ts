import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../paths.ts'
import { templateDocs } from './template-docs.ts'

const docs = templateDocs()
const MAX_BYTES = 15_000

it.each([...docs])('%s is what npm run docs:templates writes', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text)
  if (path.endsWith('.svg')) expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES)
})

it('keeps no picture of a template that is gone', () => {
  const stored = readdirSync(join(root, 'docs/templates')).map((file) => `docs/templates/${file}`)
  expect(stored.filter((path) => !docs.has(path))).toEqual([])
})
