import type { AuditRecord } from '#contract/organization/records.ts'
import { expect, expectWords, page, refusal, role, story, text, userEvent } from '../../workshop/story.tsx'
import AuditPanel from './AuditPanel.tsx'

const record = (id: string, change: Partial<AuditRecord> = {}): AuditRecord => ({
  id,
  createdDate: '2026-01-01T00:00:00.000Z',
  event: 'api-key.create',
  actorKind: 'user',
  actorId: 'u1',
  actorName: 'Ada',
  targetId: 't1',
  targetName: `Target ${id}`,
  change: null,
  workspaceId: null,
  requestId: 'r1',
  address: null,
  ...change,
})

const pageOf = (data: AuditRecord[], next: string | null = null) => ({ data, next })

story(
  'an event says who did what to what, and how it changed',
  () => <AuditPanel />,
  async () => {
    const row = (name: RegExp) => page.getByRole('row', { name })
    await expectWords(row(/Target 1/), 'API key: create')
    await expectWords(row(/Target 1/), 'Ada')
    await expectWords(row(/Target 2/), 'The directory')
    await expectWords(row(/Target 2/), 'SCIM token: delete')
    await expectWords(row(/Target 2/), 'name: Old → New')
    await expectWords(row(/Target 2/), 'secret: changed')
    await expectWords(row(/Target 2/), 'limit: 5')
  },
  {
    answers: {
      'GET /audit-log': pageOf([
        record('1'),
        record('2', {
          actorKind: 'directory',
          actorName: '',
          event: 'scim-token.delete',
          change: { name: ['Old', 'New'], secret: null, limit: [null, 5] },
        }),
      ]),
    },
  },
)

story(
  'without events the page says what will appear',
  () => <AuditPanel />,
  async () => {
    await expect.element(role('heading', 'No events yet')).toBeVisible()
  },
  { answers: { 'GET /audit-log': pageOf([]) } },
)

story(
  'filters narrow the events and what is exported',
  () => <AuditPanel />,
  async ({ sent }) => {
    await role('textbox', 'Who').fill('Grace')
    await userEvent.keyboard('{Enter}')
    await expect.element(text('No events match these filters.')).toBeVisible()
    expect(sent.at(-1)?.query).toEqual({ actor: 'Grace' })
    await expect.element(role('link', 'CSV')).toHaveAttribute('href', '/api/v1/audit-log/export?actor=Grace&format=csv')
  },
  {
    answers: {
      'GET /audit-log': ({ query }: { query: { actor?: string } }) => pageOf(query.actor ? [] : [record('1')]),
    },
  },
)

story(
  'older events follow the newer ones',
  () => <AuditPanel />,
  async ({ sent }) => {
    await role('button', 'Load more').click()
    await expect.element(text('Target 2')).toBeVisible()
    await expect.element(text('Target 1')).toBeVisible()
    await expect.element(role('button', 'Load more')).not.toBeInTheDocument()
    expect(sent.map(({ query }) => query)).toEqual([{}, { before: 'c1' }])
  },
  {
    answers: {
      'GET /audit-log': ({ query }: { query: { before?: string } }) =>
        query.before ? pageOf([record('2')]) : pageOf([record('1')], 'c1'),
    },
  },
)

story(
  'events that could not load can be tried again',
  () => <AuditPanel />,
  async () => {
    await expectWords(role('alert'), 'Couldn’t load events')
    await expect.element(role('button', 'Try again')).toBeVisible()
  },
  { answers: { 'GET /audit-log': refusal(404, 'Not here') }, width: 'phone' },
)
