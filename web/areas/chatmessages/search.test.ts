import { expect, it } from 'vitest'
import { filtersOf, messagesSearch } from './search.ts'

it('keeps what the page knows and drops everything else', () => {
  const known = { chatType: 'WEBHOOK', feedbackType: 'THUMBS_UP', search: 'tea', session: 's', page: 2 }
  expect(messagesSearch({ ...known, other: 'x' })).toEqual(known)
  expect(
    messagesSearch({ chatType: 'x', feedbackType: 1, startDate: 'x', page: 1, search: '', session: null }),
  ).toEqual({})
})

it('reads a session id of digits, which the router takes for a number', () => {
  expect(messagesSearch({ session: 42 })).toEqual({ session: '42' })
})

it('the page and the open session are no filters', () => {
  expect(filtersOf({ page: 2, session: 's', search: 'tea' })).toEqual({ search: 'tea' })
})
