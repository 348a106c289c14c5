import { describe, expect, it } from 'vitest'
import { withOnlyCredential } from './first-model.ts'

const paid = {
  label: 'Paid',
  name: 'paid',
  version: 1,
  type: 'Paid',
  category: 'Chat Models',
  description: '',
  baseClasses: [],
  inputs: [],
  credential: { label: 'Key', name: 'credential', type: 'credential', credentialNames: ['paidApi'] },
}
const definitions = new Map([['paid', paid]])
const chosen = { agentModel: 'paid', agentModelConfig: { agentModel: 'paid' } }
const key = (id: string, credentialName = 'paidApi') => ({ id, credentialName })

describe('a model that is chosen', () => {
  it.each([
    ['the only credential that fits', [key('one'), key('two', 'otherApi')], { FLOWISE_CREDENTIAL_ID: 'one' }],
    ['none of several', [key('one'), key('two')], {}],
    ['none when none fits', [key('two', 'otherApi')], {}],
  ])('gets %s', (_, credentials, config) => {
    expect(withOnlyCredential(chosen, { definitions, credentials })).toEqual({
      ...chosen,
      agentModelConfig: { agentModel: 'paid', ...config },
    })
  })

  it('leaves other changes alone', () => {
    expect(withOnlyCredential({ instruction: 'x' }, { definitions, credentials: [key('one')] })).toEqual({
      instruction: 'x',
    })
  })
})
