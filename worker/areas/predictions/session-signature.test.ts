/** What integrators copy makes the signatures that the product takes. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SIGNATURE_SAMPLES, type SignatureLanguage } from '#contract/predictions/signature-samples.ts'
import { root } from '../../local/paths.ts'
import { assertSigned } from './session-signature.ts'

const secret = 'a-secret'
const sessionId = 'user 42 “Ann”'

/** How a sample is run: the program, its arguments, and what stands around the sample. */
const RUNS: Record<SignatureLanguage, (sample: string) => [string, string[]]> = {
  'Node.js': (sample) => [
    process.execPath,
    [
      '--input-type=commonjs',
      '--eval',
      `const sessionId = process.env.SESSION\n${sample}\nprocess.stdout.write(sessionSignature)`,
    ],
  ],
  Python: (sample) => [
    'python3',
    ['-c', `import os\nsession_id = os.environ["SESSION"]\n${sample}\nprint(session_signature, end="")`],
  ],
  PHP: (sample) => ['php', ['-r', `$sessionId = getenv('SESSION');\n${sample}\necho $sessionSignature;`]],
}

/** Returns undefined where the language is not installed. */
function signatureOf(language: SignatureLanguage): string | undefined {
  const [program, args] = RUNS[language](SIGNATURE_SAMPLES[language])
  const env = { ...process.env, CONVERSATION_SECRET: secret, SESSION: sessionId }
  try {
    return execFileSync(program, args, { env, encoding: 'utf8' })
  } catch (error) {
    if (language !== 'Node.js' && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Sends a signed session to a flow with the secret. */
const send = (given: { sessionId: string; sessionSignature: string; secret?: string }) =>
  assertSigned({ cipher: { decrypt: async () => ({ secret: given.secret ?? secret }) } } as never, {
    body: { streaming: false, overrideConfig: given },
    runContext: { flow: { conversationSecret: 'sealed' }, wrappedKey: 'key' } as never,
  })

const documentation = readFileSync(join(root, 'docs/conversations.md'), 'utf8')

const languages = Object.keys(SIGNATURE_SAMPLES) as SignatureLanguage[]

describe.each(languages)('the sample for %s', (language) => {
  it('makes a signature that is taken', async ({ skip }) => {
    const sessionSignature = signatureOf(language)
    if (sessionSignature === undefined) return skip(`${language} is not installed`)
    await expect(send({ sessionId, sessionSignature })).resolves.toBeUndefined()
  })

  it('stands in the documentation', () => {
    expect(documentation).toContain(SIGNATURE_SAMPLES[language])
  })
})

it('the example of the documentation is taken, for languages that are not installed here', async () => {
  const [, id, exampleSecret, signature] =
    /session id `([^`]+)` and the secret `([^`]+)`, the signature is\n`([0-9a-f]{64})`/.exec(documentation) ?? []
  const example = { sessionId: id ?? '', secret: exampleSecret, sessionSignature: signature ?? '' }
  await expect(send(example)).resolves.toBeUndefined()
  await expect(send({ ...example, sessionId: 'user-43' })).rejects.toThrow('overrideConfig.sessionSignature: ')
})

it.each([
  ['another session', { sessionId: 'user 43' }],
  ['another secret', { secret: 'b-secret' }],
])('a signature is not that of %s', async (_name, other) => {
  const sessionSignature = signatureOf('Node.js') as string
  await expect(send({ sessionId, sessionSignature, ...other })).rejects.toThrow('overrideConfig.sessionSignature: ')
})
