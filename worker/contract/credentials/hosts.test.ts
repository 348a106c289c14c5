import { describe, expect, it } from 'vitest'
import type { CredentialDefinition } from '../flow/params/definition.ts'
import { givenHosts, hostOfPath, isAllowedHost, normalHost } from './hosts.ts'

describe('a host in a list', () => {
  it.each([
    ['api.example.com', 'api.example.com'],
    [' API.Example.COM ', 'api.example.com'],
    ['https://api.example.com', 'api.example.com'],
    ['https://api.example.com/', 'api.example.com'],
    ['http://localhost:11434', 'localhost:11434'],
    ['*.example.com', '*.example.com'],
    ['*.example.com:8443', '*.example.com:8443'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['127.0.0.1:8080', '127.0.0.1:8080'],
    ['[::1]:8080', '[::1]:8080'],
    ['ollama', 'ollama'],
  ])('is stored as browsers write it: %j', (text, host) => {
    expect(normalHost(text)).toBe(host)
    expect(normalHost(host)).toBe(host)
  })

  it.each([
    [''],
    ['*'],
    ['*.com'],
    ['*.1.2.3.4'],
    ['a.*.example.com'],
    ['*example.com'],
    ['example.com/path'],
    ['https://example.com/path'],
    ['https://example.com/?x=1'],
    ['https://example.com/#x'],
    ['user@example.com'],
    ['example.com#.trusted.example'],
    ['example.com.'],
    ['example.com:0'],
    ['example.com:70000'],
    ['two words'],
    ['ftp://example.com'],
    ['[zz]'],
  ])('is none: %j', (text) => {
    expect(normalHost(text)).toBeUndefined()
  })

  it.each([
    ['https://Example.com/v1?x=1', 'example.com'],
    ['http://localhost:11434/v1', 'localhost:11434'],
    ['https://example.com/', undefined],
    ['example.com/v1', undefined],
    ['ftp://example.com/v1', undefined],
  ])('is known of an address with a path: %j', (text, host) => {
    expect(hostOfPath(text)).toBe(host)
  })

  it.each([
    ['api.example.com', 'https://api.example.com/v1', true],
    ['api.example.com', 'https://api.example.com:8443/', true],
    ['api.example.com', 'https://api.example.com.thief.example/', false],
    ['api.example.com', 'https://thief.example/api.example.com', false],
    ['example.com', 'https://api.example.com/', false],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://thiefexample.com/', false],
    ['localhost:8080', 'http://localhost:8080/', true],
    ['localhost:8080', 'http://localhost:8081/', false],
    ['example.com:443', 'https://example.com/', true],
    ['example.com:443', 'http://example.com/', false],
    ['[::1]:8080', 'http://[::1]:8080/', true],
  ])('%s for %s: %s', (host, address, allowed) => {
    expect(isAllowedHost([host], new URL(address))).toBe(allowed)
  })

  it('an empty list allows no host', () => {
    expect(isAllowedHost([], new URL('https://example.com'))).toBe(false)
  })
})

describe('the hosts that a credential is for', () => {
  const definition: CredentialDefinition = {
    label: 'Acme',
    name: 'acmeApi',
    version: 1,
    hosts: ['api.acme.example', '{instance}.acme.example'],
    inputs: [
      { label: 'Key', name: 'key', type: 'password' },
      { label: 'Instance', name: 'instance', type: 'string', isAddress: true },
      { label: 'Endpoint', name: 'endpoint', type: 'string', isAddress: true, default: 'https://own.example/v1' },
      { label: 'Authorization URL', name: 'authorizationUrl', type: 'string', isAddress: true },
    ],
  }

  it('are its provider’s and those of its addresses, but for the consent page', () => {
    const fields = { key: 'https://key.example', instance: 'team', authorizationUrl: 'https://consent.example' }
    expect(givenHosts(definition, fields)).toEqual(['api.acme.example', 'team.acme.example', 'own.example'])
    expect(givenHosts(definition, { endpoint: 'http://10.0.0.1:8080/x' })).toEqual([
      'api.acme.example',
      '10.0.0.1:8080',
    ])
  })

  it.each([['thief.example/'], ['thief.example#'], ['thief.example?'], ['a@thief.example:80#'], ['*']])(
    'are no others for an instance named %j',
    (instance) => {
      expect(givenHosts(definition, { instance })).toEqual(['api.acme.example', 'own.example'])
    },
  )
})
