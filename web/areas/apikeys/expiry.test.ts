import { expect, it } from 'vitest'
import { dateProblem, type Expiry, expiryDate, hasExpired } from './expiry.ts'

const now = new Date('2026-11-22T12:00:00.000Z')

it.each<[`${Expiry}`, string, string | null | undefined]>([
  ['kept', '', undefined],
  ['never', '', null],
  ['30', '', '2026-12-22T12:00:00.000Z'],
  ['365', '', '2027-11-22T12:00:00.000Z'],
  ['date', '2027-01-31', new Date('2027-01-31T23:59:59').toISOString()],
])('the expiry %s %s is sent as %j', (expiry, date, sent) => {
  expect(expiryDate({ expiry, date }, now)).toBe(sent)
})

it.each<[`${Expiry}`, string, string | false]>([
  ['never', '', false],
  ['date', '', 'Choose a date.'],
  ['date', '2026-11-01', 'Choose a date in the future.'],
  ['date', '2026-12-01', false],
])('the expiry %s %s has the problem %j', (expiry, date, problem) => {
  expect(dateProblem({ expiry, date }, now)).toBe(problem)
})

it('a key has expired from its date on', () => {
  expect(hasExpired({ expiresDate: null }, now)).toBe(false)
  expect(hasExpired({ expiresDate: '2026-11-22T12:00:00.000Z' }, now)).toBe(true)
  expect(hasExpired({ expiresDate: '2026-11-22T12:00:00.001Z' }, now)).toBe(false)
})
