import { describe, expect, it } from 'vitest'
import {
  checkCredential,
  errorOfField,
  fieldsToSend,
  hostsToSend,
  initialHosts,
  initialValues,
  testAddress,
} from './credential-form.ts'

const definition = {
  label: 'Somewhere',
  name: 'somewhereApi',
  version: 1,
  inputs: [
    { label: 'Key', name: 'key', type: 'password' },
    { label: 'Address', name: 'address', type: 'string', default: 'https://example.com' },
    { label: 'Note', name: 'note', type: 'string', optional: true },
  ],
}

describe('the credential form', () => {
  it('starts with the defaults of its type', () => {
    expect(initialValues(definition)).toEqual({ key: '', address: 'https://example.com', note: '' })
  })

  it('starts with the stored values without secrets', () => {
    expect(initialValues(definition, { key: 'blank', address: 'https://a.example' })).toEqual({
      key: undefined,
      address: 'https://a.example',
      note: '',
    })
    expect(initialValues(definition, { address: '' }).key).toBe('')
  })

  it.each([
    ['Mine', { key: 'k', address: 'a', note: '' }, []],
    [' ', { key: 'k', address: 'a' }, ['name']],
    ['Mine', { key: ' ', address: '', note: '' }, ['key', 'address']],
    ['Mine', { key: undefined, address: 'a' }, []],
  ])('requires the missing fields of %j with %j: %j', (name, values, wrong) => {
    const hosts = null
    expect(Object.keys(checkCredential({ name, fields: values, hosts }, definition).fields)).toEqual(wrong)
  })

  it.each([
    ['a provider’s own hosts', { hosts: ['api.acme.example'] }, {}, ''],
    ['no choice where the type names no host', {}, {}, undefined],
    ['the host of the node', { hosts: ['api.acme.example'] }, { address: 'http://10.0.0.1:8080/v1' }, '10.0.0.1:8080'],
    ['the host of the node for any type', {}, { address: 'https://gateway.example/v1' }, 'gateway.example'],
    [
      'nothing more where the node asks the provider',
      { hosts: ['*.acme.example'] },
      { address: 'https://a.acme.example' },
      '',
    ],
    ['what is stored', { hosts: [] }, { credential: { hosts: ['a.example', 'b.example'] } }, 'a.example\nb.example'],
    ['no limit that was stored', { hosts: [] }, { credential: { hosts: null } }, null],
  ])('starts with %s', (_, more, source, hosts) => {
    expect(initialHosts({ ...definition, inputs: [], ...more }, source)).toBe(hosts)
  })

  it.each([
    [null, [], undefined],
    ['a.example *.b.example,https://c.example', [], undefined],
    [undefined, [], 'Choose where the secret may be sent.'],
    [
      'https://c.example/v1',
      [],
      '“https://c.example/v1” has a path. The secret may be sent to every path of a host: enter c.example.',
    ],
    ['', ['api.acme.example'], undefined],
    ['', [], 'Enter a host, or choose “Any host”.'],
    ['a.example\n*.com', [], '“*.com” is no host. Enter one like api.example.com or *.example.com.'],
  ])('checks the hosts %j beside %j: %s', (hosts, given, problem) => {
    const checked = checkCredential({ name: 'Mine', fields: {}, hosts }, { ...definition, inputs: [], hosts: given })
    expect(checked.fields.hosts).toBe(problem)
  })

  it('sends hosts as they are stored, each once', () => {
    expect(hostsToSend(' A.example\nhttps://a.example/ *.B.example')).toEqual(['a.example', '*.b.example'])
    expect(hostsToSend(null)).toBeNull()
    expect(hostsToSend('')).toEqual([])
  })

  it('does not send unchanged secrets', () => {
    expect(fieldsToSend({ key: undefined, address: '', note: 'x' })).toEqual({ address: '', note: 'x' })
  })

  it.each([
    ['https://a.example/v1/models', { basepath: 'https://a.example/v1/', url: 'https://b.example' }],
    ['http://localhost:6333', { name: 'x', qdrantServerUrl: 'http://localhost:6333' }],
    ['https://x.endpoints.example', { endpoint: 'https://x.endpoints.example' }],
    [undefined, { basepath: 'https://{{ $vars.host }}/v1' }],
    [undefined, { basepath: '', baseUrl: 'localhost:1234', text: 'https://a.example' }],
  ])('tests at %s for a node with %j', (address, inputs) => {
    expect(testAddress(inputs)).toBe(address)
  })

  it('finds the server error of a field', () => {
    expect(errorOfField({ fields: { 'plainDataObj.key': 'Too short' } }, 'key')).toBe('Too short')
    expect(errorOfField({ fields: { key: 'Missing' } }, 'key')).toBe('Missing')
    expect(errorOfField({ fields: {} }, 'key')).toBeUndefined()
  })
})
