import { describe, expect, it } from 'vitest'
import { ApiError, decide401, isConflict, isTransient } from './errors.ts'

describe('decide401', () => {
  it.each([
    [{ message: 'Token Expired', retry: true }, false, { do: 'refresh' }],
    [{ message: 'Token Expired', retry: true }, true, { do: 'reject' }],
    [{ message: 'Token Expired' }, false, { do: 'reject' }],
    [{ message: 'Token Expired', retry: false }, false, { do: 'reject' }],
    [{ message: 'Other', retry: true }, false, { do: 'reject' }],
    [{ message: 'Invalid or Missing token' }, false, { do: 'logout' }],
    [{ message: 'Invalid or Missing token' }, true, { do: 'logout' }],
    [
      { redirectTo: '/license-expired', error: 'unauthorized' },
      false,
      { do: 'redirect', to: '/license-expired', signedOut: true },
    ],
    [
      { redirectTo: '/account/billing', error: 'subscription_canceled' },
      false,
      { do: 'redirect', to: '/account/billing?error=subscription_canceled', signedOut: false },
    ],
    [
      { redirectTo: '/account?tab=plan#pay', error: 'subscription_canceled' },
      false,
      { do: 'redirect', to: '/account?tab=plan&error=subscription_canceled#pay', signedOut: false },
    ],
    [{ redirectTo: '/somewhere', error: 'else' }, false, { do: 'reject' }],
    [{ redirectTo: '/somewhere' }, false, { do: 'reject' }],
    [{ error: 'unauthorized' }, false, { do: 'reject' }],
    [{ message: 'Email or password is wrong' }, false, { do: 'reject' }],
    [{}, false, { do: 'reject' }],
  ] as const)('%j, refreshed %s: %j', (body, refreshed, decision) => {
    expect(decide401(body, refreshed)).toEqual(decision)
  })
})

it.each([
  [0, true],
  [500, true],
  [503, true],
  [400, false],
  [401, false],
  [404, false],
])('treats status %d as transient: %s', (status, transient) => {
  expect(isTransient(new ApiError(status, {}))).toBe(transient)
})

it.each([
  [409, undefined, true],
  [409, 'workspace_switched', false],
  [409, 'confirm_identity', false],
  [400, undefined, false],
])('takes a %i with the error %s for a change by somebody else: %s', (status, error, expected) => {
  expect(isConflict(new ApiError(status, { message: 'No', error }))).toBe(expected)
})
