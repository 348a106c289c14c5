// @defends design-keeps-secret
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of files
import { describe, expect, it } from 'vitest'
import { llmAgent, readTexts, type Texts } from './testing/designs.ts'

const SECRET = 'sesame'

const cleaned = (texts: Texts) => {
  const { files, report, design } = readTexts(texts)
  const text = new Map(files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]))
  return { text, report, design }
}

const mcp = (args: string) =>
  llmAgent(
    `tools:\n  - name: McpToolset\n    args:\n      sse_connection_params: {url: "https://example.com"}\n${args}`,
  )

describe('a secret in the YAML of a design', () => {
  it.each([
    ['      headers: {Authorization: Bearer sesame}', '      headers: {Authorization: "${AUTHORIZATION}"}'],
    ["      headers: {X-Api-Key: 'sesame'}", '      headers: {X-Api-Key: "${X_API_KEY}"}'],
    ['      env: {PLAIN: sesame, OTHER: 7}', '      env: {PLAIN: "${PLAIN}", OTHER: "${OTHER}"}'],
    ['      password: 12345', '      password: "${PASSWORD}"'],
    ['      token: [sesame, sesame]', '      token: ["${TOKEN}", "${TOKEN_2}"]'],
    [
      '      client_secret: |\n        open\n        sesame\n      more: 1',
      '      client_secret: "${CLIENT_SECRET}"\n\n\n      more: 1',
    ],
    ['      client_secret: >-\n        sesame', '      client_secret: "${CLIENT_SECRET}"\n'],
    ['      private-key: "open\n        sesame"', '      private-key: "${PRIVATE_KEY}"\n'],
    ['      url: https://ann:sesame@example.com', '      url: "${URL}"'],
    ['      url: https://example.com?api_key=sesame', '      url: "${URL}"'],
    ['      "12-token": sesame', '      "12-token": "${SECRET_12_TOKEN}"'],
    ['      password: &p sesame\n      more: *p', '      password: &p "${PASSWORD}"\n      more: *p'],
    ['      token: sesame\n      token: other', '      token: "${TOKEN}"\n      token: "${TOKEN_2}"'],
    ['      nested: {a: [{cookie: sesame}]}', '      nested: {a: [{cookie: "${COOKIE}"}]}'],
  ])('is replaced in %j', (written, kept) => {
    const { text, design } = cleaned({ 'root_agent.yaml': mcp(`${written}\n`) })
    expect(text.get('root_agent.yaml')).toBe(mcp(`${kept}\n`))
    const [tool] = design.agents.get('root_agent.yaml')?.tools ?? []
    expect(JSON.stringify(tool)).not.toContain(SECRET)
  })

  it.each([
    '      token: ${TOKEN}',
    '      tokenUrl: https://example.com/token',
    '      auth_type: api_key',
    '      credential_key: mine',
    '      password:',
    '      url: https://example.com/?page=1',
    '      session: true',
  ])('is not suspected in %j', (written) => {
    const { text } = cleaned({ 'root_agent.yaml': mcp(`${written}\n`) })
    expect(text.get('root_agent.yaml')).toBe(mcp(`${written}\n`))
  })

  it('is named with its line, and never told', () => {
    const { report } = cleaned({ 'root_agent.yaml': mcp('      headers: {Authorization: sesame}\n') })
    expect(report.tasks.filter(({ kind }) => kind === 'credential')).toEqual([
      {
        kind: 'credential',
        file: 'root_agent.yaml',
        line: 8,
        column: 32,
        reason: 'tools[0].args.headers.Authorization was a secret. Make it a credential, in place of ${AUTHORIZATION}.',
      },
    ])
    expect(report.files[0]?.keys).toContainEqual({
      key: 'tools[0].args.headers.Authorization',
      line: 8,
      column: 32,
      verdict: 'changed',
      reasons: ['The secret is not kept: ${AUTHORIZATION} stands in its place.'],
    })
    expect(JSON.stringify(report)).not.toContain(SECRET)
  })

  it('is replaced in a file that no agent refers to', () => {
    const { text, report } = cleaned({
      'root_agent.yaml': llmAgent(),
      'tools.yaml': 'sources:\n  db: {password: sesame}\n',
    })
    expect(text.get('tools.yaml')).toBe('sources:\n  db: {password: "${PASSWORD}"}\n')
    expect(report.tasks.map(({ file, kind }) => [file, kind])).toContainEqual(['tools.yaml', 'credential'])
  })

  it('leaves the bytes of other files alone', () => {
    const text = `\ufeff${llmAgent().replaceAll('\n', '\r\n')}`
    expect(cleaned({ 'root_agent.yaml': text }).text.get('root_agent.yaml')).toBe(text.slice(1))
    expect(readTexts({ 'root_agent.yaml': text }).files[0]?.bytes).toEqual(new TextEncoder().encode(text))
  })
})

describe('an environment file', () => {
  it.each([
    ['A=sesame\nexport B = "sesame"\n', 'A=\nexport B =\n', ['A', 'B']],
    ['# a note\n#OLD=sesame\n\nC=\n', '# a note\n#OLD=\n\nC=\n', []],
    ['PEM="one\nsesame=\n two"\nD=1\r\n', 'PEM=\n\n\nD=\r\n', ['PEM', 'D']],
    ['sesame\nA=1', '\nA=', ['A']],
  ])('keeps the names of %j and no value', (written, kept, names) => {
    const { text, report } = cleaned({ 'root_agent.yaml': llmAgent(), '.env': written })
    expect(text.get('.env')).toBe(kept)
    const tasks = report.tasks.filter(({ file }) => file === '.env')
    expect(tasks.map(({ reason }) => reason)).toEqual(
      names.map((name) => `${name} had a value. Make it a credential if it is a secret.`),
    )
  })

  it.each(['.env', '.env.local', 'prod.env', 'deploy/.env.example'])('is found by its name: %s', (name) => {
    expect(cleaned({ 'root_agent.yaml': llmAgent(), [name]: 'A=sesame\n' }).text.get(name)).toBe('A=\n')
  })

  it.each(['env.py', 'environment.md'])('is not suspected by the name %s', (name) => {
    expect(cleaned({ 'root_agent.yaml': llmAgent(), [name]: 'A=sesame\n' }).text.get(name)).toBe('A=sesame\n')
  })
})
