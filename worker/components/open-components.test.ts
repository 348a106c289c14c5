// @defends credential-leaves-run
import { expect, it } from 'vitest'
import { isTest, readSources, withoutComments } from '../local/import-graph.ts'

const code = readSources()
  .filter(({ path }) => path.startsWith('worker/') && !isTest(path))
  .map(({ path, text }) => ({ path, text: withoutComments(text) }))
const filesWith = (pattern: RegExp) => code.flatMap(({ path, text }) => (pattern.test(text) ? [path] : [])).sort()

it('credentials are opened for use by `credentialReader` alone, whose listeners hear of each secret', () => {
  expect(filesWith(/\breadFreshFields\(/)).toEqual([
    // For a test of what a form holds; its own answer says nothing that the service said.
    'worker/areas/credentials/connection-test.ts',
    'worker/components/open-components.ts',
    'worker/oauth/stored-tokens.ts',
  ])
  // To mask and merge the fields of the form.
  expect(filesWith(/\bopenCredential\(/)).toEqual([
    'worker/areas/credentials/store.ts',
    'worker/components/credentials.ts',
  ])
})

it('each column of secrets is decrypted in one place', () => {
  expect(filesWith(/\bcipher\.decrypt\(/)).toEqual([
    'worker/areas/chatflows/conversation-secret.ts',
    'worker/areas/triggers/webhook/secrets.ts',
    'worker/components/credentials.ts',
    'worker/components/secret-variables.ts',
    'worker/oauth/mcp/server-tokens.ts',
    'worker/oauth/requests.ts',
    'worker/oauth/stored-tokens.ts',
    'worker/oauth/token-rows.ts',
    'worker/runs/records/sealing.ts',
  ])
})
