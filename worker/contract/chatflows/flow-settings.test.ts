// @defends limit-set-owner
import { describe, expect, it } from 'vitest'
import { limitProblem, readApiConfig, readChatbotConfig, withFullTrace } from './flow-settings.ts'

const limit = (change: object) =>
  JSON.stringify({ rateLimit: { status: true, limitMax: 5, limitDuration: 60, limitMsg: 'Slow down', ...change } })

describe('a rate limit', () => {
  it.each([
    [{}, 5, 60],
    [{ limitMax: '5', limitDuration: '60' }, 5, 60],
    [{ limitMax: 1.5, limitDuration: '0.2' }, 2, 1],
    [{ limitDuration: 1e12 }, 5, 366 * 86_400],
  ])('with %j allows %d calls in %d seconds', (change, limitMax, limitDuration) => {
    expect(readApiConfig(limit(change)).rateLimit).toEqual({
      status: true,
      limitMsg: 'Slow down',
      limitMax,
      limitDuration,
    })
    expect(limitProblem(limit(change))).toBeUndefined()
  })

  it.each([
    [{ limitMax: '' }, 'limitMax'],
    [{ limitMax: 0 }, 'limitMax'],
    [{ limitDuration: 'soon' }, 'limitDuration'],
    [{ limitDuration: '-1' }, 'limitDuration'],
    [{ limitDuration: '1e999' }, 'limitDuration'],
    [{ limitDuration: null }, 'limitDuration'],
    [{ limitDuration: [60] }, 'limitDuration'],
  ])('with %j is invalid and names %s', (change, field) => {
    expect(readApiConfig(limit(change)).rateLimit).toBeUndefined()
    expect(limitProblem(limit(change))).toEqual({
      path: ['rateLimit', field],
      message: 'This must be a number above 0',
    })
  })

  it('ignores a disabled rate limit', () => {
    const off = limit({ status: false, limitMax: '' })
    expect(readApiConfig(off).rateLimit).toBeUndefined()
    expect(limitProblem(off)).toBeUndefined()
  })
})

describe('a size of calls', () => {
  const size = (maxCharacters: unknown) => JSON.stringify({ callSize: { status: true, maxCharacters } })

  it('is what the owner set, and never more than any caller may send', () => {
    expect(readApiConfig(size('250000')).callSize?.maxCharacters).toBe(250_000)
    expect(readApiConfig(size(1e9)).callSize?.maxCharacters).toBe(1024 * 1024)
  })

  it('that is no number is invalid, and leaves the default', () => {
    expect(readApiConfig(size('many')).callSize).toBeUndefined()
    expect(limitProblem(size('many'))).toEqual({
      path: ['callSize', 'maxCharacters'],
      message: 'This must be a number above 0',
    })
  })
})

it('invalid override settings allow nothing', () => {
  const override = (overrideConfig: unknown) => readApiConfig(JSON.stringify({ overrideConfig })).overrideConfig
  expect(override({ status: true })).toEqual({ status: true, nodes: {}, variables: [] })
  expect(override({ status: true, nodes: { a: [{ name: 'x', enabled: 'yes' }] }, variables: {} })).toEqual({
    status: true,
    nodes: { a: [{ name: 'x', enabled: false }] },
    variables: [],
  })
  for (const broken of [{ status: 'true' }, { status: 1 }, [], 'on', null]) expect(override(broken)).toBeUndefined()
  for (const text of [null, '', 'null', '[]', '"x"', '{']) expect(readApiConfig(text)).toEqual({})
})

it('readChatbotConfig ignores allowed origins that are not texts', () => {
  const read = (config: unknown) => readChatbotConfig(JSON.stringify(config))
  expect(read({ allowedOrigins: ['a.example', 1, null], allowedOriginsError: 'No', title: 'Bot' })).toEqual({
    allowedOrigins: ['a.example'],
    allowedOriginsError: 'No',
  })
  for (const broken of [{}, { allowedOrigins: 'a' }, null, []]) expect(read(broken)).toEqual({ allowedOrigins: [] })
})

describe('whole traces for callers', () => {
  it.each([null, '', 'null', '{', '{"fullTrace":null}'])('are turned on and off in %j', (before) => {
    const on = withFullTrace(before, true)
    expect(readApiConfig(on).fullTrace).toEqual({ status: true })
    expect(readApiConfig(withFullTrace(on, false)).fullTrace).toBeUndefined()
  })

  it('keep every other setting', () => {
    const others = { rateLimit: { status: false, limitMsg: '' }, unknown: [1] }
    const changed = JSON.parse(withFullTrace(JSON.stringify(others), true))
    expect(changed).toEqual({ ...others, fullTrace: { status: true } })
  })
})
