// @defends import-opens-flow
import { describe, expect, it } from 'vitest'
import type { FlowItem } from '#contract/export-import/export-import.ts'
import { exportedRestrictions, importedAccess } from './flow-access.ts'

const row = (more: object = {}) => ({ id: 'a', name: 'A', flowData: '', sources: [], ...more }) as FlowItem
const accessOf = (more: object, isSameId = true) => importedAccess(row(more), isSameId)
const origins = (...allowedOrigins: unknown[]) => JSON.stringify({ allowedOrigins })
const limited = (more: object = {}) =>
  JSON.stringify({ rateLimit: { status: true, limitMax: '1', limitDuration: '60', limitMsg: 'slow', ...more } })
/** As Flowise's API writes an open flow. */
const OPEN = { apikeyid: null, chatbotConfig: null, apiConfig: null }

describe('an imported flow', () => {
  it.each<[string, object, string]>([
    ['with a key of its own needs a key', { ...OPEN, apikeyid: 'k' }, 'keys'],
    [
      'with a key and sites needs a key',
      { ...OPEN, apikeyid: 'k', chatbotConfig: origins('https://a.example') },
      'keys',
    ],
    ['with allowed sites answers these', { ...OPEN, chatbotConfig: origins('https://a.example', '') }, 'sites'],
    [
      'with allowed sites as an object answers these',
      { ...OPEN, chatbotConfig: { allowedOrigins: ['a.example'] } },
      'sites',
    ],
    ['with sites that cannot be read needs a key', { ...OPEN, chatbotConfig: origins(5) }, 'keys'],
    ['with sites in one text needs a key', { ...OPEN, chatbotConfig: { allowedOrigins: 'a.example' } }, 'keys'],
    ['with settings that cannot be read needs a key', { ...OPEN, chatbotConfig: '{' }, 'keys'],
    ['with a limit that cannot be read needs a key', { ...OPEN, apiConfig: limited({ limitMax: 'many' }) }, 'keys'],
    ['with a limit that is on as a text needs a key', { ...OPEN, apiConfig: limited({ status: 'true' }) }, 'keys'],
    ['of a file without settings needs a key', {}, 'keys'],
    ['of a file without sites needs a key', { apikeyid: null }, 'keys'],
    ['that was open stays open', OPEN, 'everyone'],
    ['that was open with the one empty site of a form stays open', { ...OPEN, chatbotConfig: origins('') }, 'everyone'],
    ['whose limit is off stays open', { ...OPEN, apiConfig: limited({ status: false }) }, 'everyone'],
    ['keeps what a file of Heddle says', { callers: 'members' }, 'members'],
    ['that a file calls open needs the key that it has', { callers: 'everyone', apikeyid: 'k' }, 'keys'],
    ['of members stays theirs with a key', { callers: 'members', apikeyid: 'k' }, 'members'],
  ])('%s', (_name, settings, callers) => {
    expect(accessOf(settings).callers).toBe(callers)
  })

  it('keeps its sites and its limit, and no other setting', () => {
    const chatbotConfig = { allowedOrigins: ['https://a.example'], allowedOriginsError: 'No', leads: { status: true } }
    const apiConfig = { ...JSON.parse(limited()), overrideConfig: { status: true } }
    const access = accessOf({
      ...{ apikeyid: '', chatbotConfig: JSON.stringify(chatbotConfig), apiConfig: JSON.stringify(apiConfig) },
    })
    expect(JSON.parse(String(access.chatbotConfig))).toEqual({
      ...{ allowedOrigins: ['https://a.example'], allowedOriginsError: 'No' },
    })
    const rateLimit = { status: true, limitMax: 1, limitDuration: 60, limitMsg: 'slow' }
    expect(JSON.parse(String(access.apiConfig))).toEqual({ rateLimit })
    expect(access.notes).toEqual([
      'Pages of https://a.example can call this flow. Programs need an API key of this workspace. Change this under Share.',
      'It takes 1 call in 60 seconds from each address, as before.',
    ])
  })

  it('is open “as before” only where the file says that it was, and only at its address', () => {
    const open = 'Everyone with its address can call this flow, as before. Change this under Share.'
    expect(accessOf(OPEN).notes).toEqual([open])
    expect(accessOf({ callers: 'everyone' }).notes).toEqual([open])
    expect(accessOf(OPEN, false)).toMatchObject({ callers: 'keys', notes: [] })
    expect(accessOf({ callers: 'everyone' }, false).notes).toEqual([open.replace(', as before', '')])
    for (const settings of [{}, { ...OPEN, apikeyid: 'k' }, { ...OPEN, chatbotConfig: '{' }]) {
      const [note] = accessOf(settings).notes
      expect(note).toMatch(/Members and the API keys of this workspace can call it now\. Choose .* under Share\.$/)
    }
  })
})

it('an export holds the sites and the limit of a flow, so that its import is not more open', () => {
  const flow = { chatbotConfig: JSON.stringify({ allowedOrigins: ['a.example'], title: 'Hi' }), apiConfig: limited() }
  expect(accessOf({ callers: 'everyone', ...exportedRestrictions(flow) })).toMatchObject({
    ...{ callers: 'everyone', chatbotConfig: origins('a.example') },
    apiConfig: expect.stringContaining('"limitMax":1'),
  })
  expect(exportedRestrictions({ chatbotConfig: '{"title":"Hi"}', apiConfig: null })).toEqual({})
})
