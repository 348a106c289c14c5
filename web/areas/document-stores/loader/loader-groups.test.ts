import { expect, it } from 'vitest'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { isRemote, loaderGroups } from './loader-groups.ts'

const loader = (name: string, more: Partial<ComponentDefinition> = {}): ComponentDefinition => ({
  label: name,
  name,
  version: 1,
  type: 'Document',
  category: 'Document Loaders',
  description: '',
  baseClasses: ['Document'],
  inputs: [],
  ...more,
})
const file = { label: 'File', name: 'file', type: 'file' }
const credential = { label: 'Credential', name: 'credential', type: 'credential' }
const pdf = loader('pdfFile', {
  group: 'Files',
  label: 'Pdf File',
  description: 'Reads PDF page by page',
  inputs: [file],
})
const site = loader('cheerioWebScraper', { group: 'Web', label: 'Website' })
const notion = loader('notionDB', { group: 'Apps and storage', label: 'Notion', credential })
const api = loader('apiLoader', { group: 'Web', label: 'API', credential })
const text = loader('plainText', { group: 'Text', label: 'Plain Text' })
const all = [text, site, api, notion, pdf]

const found = (search: string) =>
  loaderGroups(all, search).map(({ title, loaders }) => [title, ...loaders.map(({ label }) => label)])

it('groups loaders by where they read from', () => {
  expect(found('')).toEqual([
    ['Files', 'Pdf File'],
    ['Apps and storage', 'Notion'],
    ['Web', 'Website', 'API'],
    ['Text', 'Plain Text'],
  ])
})

it.each([
  [' page pdf ', [['Files', 'Pdf File']]],
  ['scraper', [['Web', 'Website']]],
  ['nothing like it', []],
])('finds loaders by every word of %j', (search, groups) => {
  expect(found(search)).toEqual(groups)
})

it('only what lies elsewhere is remote', () => {
  expect(all.filter(isRemote)).toEqual([site, api, notion])
})
