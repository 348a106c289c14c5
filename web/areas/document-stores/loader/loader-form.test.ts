import { expect, it } from 'vitest'
import type { DocumentLoader } from '#contract/document-stores/loaders.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { buildRequest, checkLoader, toFields } from './loader-form.ts'

const input = (name: string, more: Partial<InputParam> = {}): InputParam => ({
  label: name,
  name,
  type: 'string',
  ...more,
})
const component = (
  name: string,
  inputs: InputParam[],
  more: Partial<ComponentDefinition> = {},
): ComponentDefinition => ({
  label: `The ${name}`,
  name,
  version: 1,
  type: 'Document',
  category: 'Document Loaders',
  description: '',
  baseClasses: [],
  inputs,
  ...more,
})
const splitters = [
  component('tokenTextSplitter', []),
  component('recursiveCharacterTextSplitter', [input('chunkSize', { type: 'number', default: 1000 })]),
]
const site = component('site', [
  input('url'),
  input('depth', { type: 'number', default: 1 }),
  input('selector', { show: { depth: 2 } }),
  input('note', { optional: true }),
])
const key = { label: 'Credential', name: 'credential', type: 'credential', credentialNames: ['key'] }
const drive = component('drive', [input('folder', { type: 'file' })], { credential: key })

const stored: DocumentLoader = {
  id: 'loader-1',
  loaderId: 'drive',
  loaderName: 'Manuals',
  loaderConfig: { folder: 'FILE-STORAGE::["a.pdf"]' },
  splitterId: '',
  splitterName: '',
  splitterConfig: {},
  totalChunks: 0,
  totalChars: 0,
  status: 'NEW',
  statusReason: null,
  credential: 'credential-1',
  files: [],
  filesTotal: 0,
  filesFailed: 0,
  conflicts: 0,
}

it('starts a new loader with defaults and the usual splitter', () => {
  expect(toFields(site, splitters)).toEqual({
    name: 'The site',
    config: { url: '', depth: 1, selector: '', note: '' },
    splitter: 'recursiveCharacterTextSplitter',
    splitterConfig: { chunkSize: 1000 },
  })
})

it('a stored loader is read and written without a change', () => {
  const fields = toFields(drive, splitters, stored)
  expect(fields.config[CREDENTIAL_ID]).toBe('credential-1')
  expect(buildRequest(fields, { storeId: 'store', definition: drive, splitters, id: stored.id })).toEqual({
    storeId: 'store',
    id: 'loader-1',
    loaderId: 'drive',
    loaderName: 'Manuals',
    loaderConfig: { folder: 'FILE-STORAGE::["a.pdf"]' },
    splitterId: '',
    splitterName: '',
    splitterConfig: {},
    credential: 'credential-1',
  })
})

it('sends the inputs of the splitter without the choice that stands among them', () => {
  const fields = { ...toFields(site, splitters), splitterConfig: { chunkSize: 200, splitter: 'x' } }
  const cut = buildRequest(fields, { storeId: 'store', definition: site, splitters })
  expect(cut.splitterName).toBe('The recursiveCharacterTextSplitter')
  expect(cut.splitterConfig).toEqual({ chunkSize: 200 })
  const whole = buildRequest({ ...fields, splitter: '' }, { storeId: 'store', definition: site, splitters })
  expect(whole).toMatchObject({ splitterId: '', splitterName: '', splitterConfig: {} })
})

it('names what is missing among the inputs that are shown', () => {
  const fields = toFields(site, splitters)
  expect(checkLoader(site, fields).fields).toEqual({ url: 'Fill in “url”.' })
  const deep = { ...fields, name: ' ', config: { ...fields.config, url: 'https://a.example', depth: 2 } }
  expect(checkLoader(site, deep).fields).toEqual({ name: 'Enter a name.', selector: 'Fill in “selector”.' })
  expect(checkLoader(drive, toFields(drive, splitters)).fields).toEqual({
    [CREDENTIAL_ID]: 'Choose a credential.',
    folder: 'Add a file.',
  })
})
