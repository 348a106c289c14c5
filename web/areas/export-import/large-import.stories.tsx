import type { LargeImport as Import } from '#contract/export-import/export-import.ts'
import { expect, page, role, story, text } from '../../workshop/story.tsx'
import { LargeImport } from './LargeImport.tsx'

const open: Import = {
  ...{ id: 'i', name: 'Roses.json', parts: 2, reason: null, report: null },
  ...{ state: 'importing', rowsDone: 20, rowsTotal: 40 },
}

const dialog = (tell: (told: string) => void) => (
  <LargeImport file={null} onClose={() => tell('closed')} onFailed={tell} />
)

story(
  'an import that reads its file can be canceled',
  dialog,
  async ({ told, sent }) => {
    await expect.element(text('20 of 40 rows').first()).toBeVisible()
    await role('button', 'Cancel import').click()
    await expect.poll(() => told).toEqual(['closed'])
    expect(sent.map(({ call }) => call)).toContain('DELETE /export-import/imports/i')
  },
  {
    answers: { 'GET /export-import/imports': { import: open }, 'DELETE /export-import/imports/i': open },
  },
)

story(
  'an import that saves its rows goes on, and nothing offers to cancel it',
  dialog,
  async () => {
    await expect.element(text('Saving the rows').first()).toBeVisible()
    expect(role('button', 'Cancel import').elements()).toEqual([])
    await expect.element(role('button', 'Close').last()).toBeVisible()
  },
  { answers: { 'GET /export-import/imports': { import: { ...open, state: 'writing', rowsDone: 40 } } } },
)

const reason = 'Not imported: ChatMessage (2): Its flow was deleted, or left out, while the file was imported'

story(
  'an import that left rows out says which and why',
  dialog,
  async ({ told }) => {
    const toasts = page.getByRole('region', { name: 'Notifications' })
    await expect.element(toasts.getByText(reason)).toBeVisible()
    await expect.element(toasts.getByText('Import All successful')).toBeVisible()
    expect(told).toContain('closed')
  },
  {
    answers: {
      'GET /export-import/imports': { import: { ...open, state: 'done', reason } },
      'DELETE /export-import/imports/i': { ...open, state: 'done', reason },
    },
  },
)
