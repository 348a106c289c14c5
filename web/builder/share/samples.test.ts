// @defends look-owner-chose
import { execFile, execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { exampleBody, flowiseSnippet, LANGUAGES, type Language, sampleOf } from './samples.ts'

const run = promisify(execFile)
const body = { question: 'It’s "quoted", isn\'t it?\nYes \\ $HOME `id` 雪' }

let url = ''
let received: { method?: string; type?: string; authorization?: string; text: string }[] = []
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { 'content-type': type, authorization } = request.headers
  received.push({ method: request.method, type, authorization, text: Buffer.concat(chunks).toString() })
  response.setHeader('content-type', 'application/json').end('{"text":"Hello back"}')
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/prediction/x`
})
afterAll(() => server.close())
beforeEach(() => {
  received = []
})

const has = (program: string) => {
  try {
    execFileSync('which', [program])
    return true
  } catch {
    return false
  }
}

const runners: Record<Language, [program: string, args: (code: string) => string[]]> = {
  curl: ['sh', (code) => ['-c', code]],
  JavaScript: [process.execPath, (code) => ['--input-type=module', '-e', code]],
  Python: ['python3', (code) => ['-c', code]],
}

describe.each(LANGUAGES)('the %s sample', (language) => {
  const [program, argsOf] = runners[language]

  it.runIf(has(language === 'curl' ? 'curl' : program))('runs as it stands, with and without a key', async () => {
    for (const apiKey of ['secret-key', undefined]) {
      const { stdout } = await run(program, argsOf(sampleOf(language, { url, apiKey, body })))
      expect(stdout).toContain('Hello back')
    }
    expect(received.map(({ text, ...rest }) => ({ ...rest, body: JSON.parse(text) }))).toEqual([
      { method: 'POST', type: 'application/json', authorization: 'Bearer secret-key', body },
      { method: 'POST', type: 'application/json', authorization: undefined, body },
    ])
  })
})

it('a flow that starts with a form is called with an example of each field', () => {
  const formInputTypes = [
    { type: 'string', label: 'City', name: 'city' },
    { type: 'number', label: 'Days', name: 'days' },
    { type: 'boolean', label: 'Sure', name: 'sure' },
    { type: 'options', label: 'Size', name: 'size', addOptions: [{ option: 'Small' }, { option: 'Large' }] },
  ]
  const start = (inputs: object) => ({ data: { inputs } }) as unknown as FlowNode
  expect(exampleBody(start({ startInputType: 'formInput', formInputTypes }))).toEqual({
    form: { city: 'City', days: 1, sure: true, size: 'Small' },
  })
  expect(exampleBody(start({ startInputType: 'chatInput' }))).toEqual({ question: 'Hello' })
  expect(exampleBody(undefined)).toEqual({ question: 'Hello' })
})

it('a theme neither ends the script of a page nor adds to it', () => {
  const title = '</script><script>alert(1)</script>`'
  const snippet = flowiseSnippet('https://heddle.example', 'id', { chatWindow: { title } })
  expect(snippet.match(/<\/?script/g)).toEqual(['<script', '</script'])
  const [, after = ''] = snippet.split('theme: ')
  const [theme = ''] = after.split(',\n  })')
  expect(JSON.parse(theme)).toEqual({ chatWindow: { title } })
})
