import { execFile, execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mcpClientConfig, OPENAI_LANGUAGES, type OpenAiLanguage, openAiSampleOf } from './openai-samples.ts'

const run = promisify(execFile)

let baseUrl = ''
let received: { url?: string; authorization?: string; model: string }[] = []
const chunk = (delta: object) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
})
const server = createServer(async (request, response) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const { model } = JSON.parse(Buffer.concat(pieces).toString()) as { model: string }
  received.push({ url: request.url, authorization: request.headers.authorization, model })
  response.setHeader('content-type', 'text/event-stream')
  const frames = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Hello ' }), chunk({ content: 'back' })]
  response.end(`${frames.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`)
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => server.close())
beforeEach(() => {
  received = []
})

const runners: Record<OpenAiLanguage, [program: string, args: (code: string) => string[]]> = {
  JavaScript: [process.execPath, (code) => ['--input-type=module', '-e', code]],
  Python: ['python3', (code) => ['-c', code]],
}

const hasPackage = (language: OpenAiLanguage) => {
  const [program, argsOf] = runners[language]
  try {
    execFileSync(program, argsOf(language === 'Python' ? 'import openai' : "await import('openai')"), {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

describe.each(OPENAI_LANGUAGES)('the %s sample for OpenAI', (language) => {
  const [program, argsOf] = runners[language]

  it.runIf(hasPackage(language))('runs as it stands', async () => {
    const call = { baseUrl, model: 'the "flow"', apiKey: 'secret-key' }
    const { stdout } = await run(program, argsOf(openAiSampleOf(language, call)))
    expect(stdout).toBe('Hello back')
    expect(received).toEqual([{ url: '/v1/chat/completions', authorization: 'Bearer secret-key', model: 'the "flow"' }])
  })
})

it('the settings of an MCP client name the tool, its address and its token', () => {
  expect(JSON.parse(mcpClientConfig({ name: 'tea', url: 'https://h.example/api/v1/mcp/f', token: 't' }))).toEqual({
    mcpServers: {
      tea: { type: 'http', url: 'https://h.example/api/v1/mcp/f', headers: { Authorization: 'Bearer t' } },
    },
  })
})
