import type { FileList, StoredFile } from '#contract/files/files.ts'
import { expect, expectWords, page, role, story, text } from '../../workshop/story.tsx'
import { FilesPage } from './FilesPage.tsx'

const file = (name: string, change: Partial<StoredFile> = {}): StoredFile => ({
  id: `id-${name}`,
  name,
  mime: 'text/plain',
  size: 2048,
  owner: { kind: 'documentStore', id: 's1', name: 'Handbook', loader: null, chunks: 3 },
  createdDate: '2026-01-01T00:00:00.000Z',
  expiresDate: null,
  ...change,
})

const list = (data: StoredFile[], change: Partial<FileList> = {}): FileList => ({
  data,
  cursor: null,
  total: data.length,
  usedBytes: 512 * 1024 ** 2,
  quotaBytes: 1024 ** 3,
  anonymousBytes: 0,
  anonymousQuotaBytes: 100 * 1024 ** 2,
  recordsBytes: 3 * 1024 ** 2,
  recordsQuotaBytes: null,
  ...change,
})

story(
  'files say what they belong to, and how much of the quota they use',
  () => <FilesPage />,
  async () => {
    await expect.element(role('meter', 'Storage')).toHaveAttribute('aria-valuenow', '50')
    await expect.element(text(/· 1 file$/)).toBeVisible()
    await expect.element(text(/^20\.00 MB of 100\.00 MB from visitors without an API key/)).toBeVisible()
    await expect.element(role('link', 'Handbook')).toHaveAttribute('href', '/document-stores/s1')
    await expectWords(role('table', 'files'), 'No loader')
  },
  { answers: { 'GET /files': list([file('notes.txt')], { anonymousBytes: 20 * 1024 ** 2 }) } },
)

story(
  'more bytes than the quota fill the meter and no more',
  () => <FilesPage />,
  async () => {
    await expect.element(role('meter', 'Storage')).toHaveAttribute('aria-valuenow', '100')
  },
  { answers: { 'GET /files': list([file('a'), file('b')], { usedBytes: 2 * 1024 ** 3 }) } },
)

story(
  'runs and messages say what they use, and warn before calls are refused',
  () => <FilesPage />,
  async () => {
    await expect.element(text('Runs and messages: 1000.00 MB of 1.00 GB used')).toBeVisible()
    await expect.element(role('meter', 'Runs and messages')).toHaveAttribute('aria-valuenow', '98')
    await expect.element(role('status').filter({ hasText: 'will be refused once it is full' })).toBeVisible()
  },
  {
    answers: { 'GET /files': list([file('a')], { recordsBytes: 1000 * 1024 ** 2, recordsQuotaBytes: 1024 ** 3 }) },
    width: 'phone',
  },
)

story(
  'the search goes to the server, and says when it finds nothing',
  () => <FilesPage />,
  async ({ sent }) => {
    await role('searchbox', 'Search files').fill(' xyz ')
    await expect.element(text(/^No files match/)).toBeVisible()
    expect(sent.at(-1)?.query).toEqual({ search: 'xyz' })
  },
  { answers: { 'GET /files': ({ query }: { query: { search?: string } }) => list(query.search ? [] : [file('a')]) } },
)

story(
  'a file of a store is deleted there, after what follows was said',
  () => <FilesPage />,
  async ({ sent }) => {
    await role('button', 'Actions for notes.txt').click()
    await role('menuitem', 'Delete').click()
    await expectWords(role('alertdialog'), 'It cannot be restored.')
    await role('button', 'Delete').click()
    await expect.element(text('Deleted “notes.txt”')).toBeVisible()
    expect(sent.map(({ call }) => call)).toContain('DELETE /document-store/store/s1/files/id-notes.txt')
  },
  { answers: { 'GET /files': list([file('notes.txt')]), 'DELETE /document-store/store/*/files/*': null } },
)

story(
  'somebody who may only look can preview and download',
  () => <FilesPage />,
  async () => {
    await role('button', 'Actions for notes.txt').click()
    await expect.element(role('menuitem', 'Download')).toBeVisible()
    expect(
      role('menuitem')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Preview', 'Download'])
  },
  { answers: { 'GET /files': list([file('notes.txt')]) }, can: ['files:view', 'documentStores:view'] },
)

story(
  'a preview shows the text of a file',
  () => <FilesPage />,
  async () => {
    await role('button', 'notes.txt').click()
    await expectWords(page.getByRole('dialog'), 'words of the file')
  },
  {
    answers: {
      'GET /files': list([file('notes.txt')]),
      'GET /files/*/content': () => new Response('words of the file', { headers: { 'content-type': 'text/plain' } }),
    },
  },
)
