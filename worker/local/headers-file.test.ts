import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allowApi, headersFor, parseHeadersFile } from './headers-file.ts'
import { root } from './paths.ts'

const rules = parseHeadersFile(`
# for all
/*
  X-One: 1
  Cache-Control: short
/assets/*
  Cache-Control: long: very
/users/:name/photo.png
  X-Photo: yes
`)

const matches: [string, Record<string, string>][] = [
  ['/', { 'x-one': '1', 'cache-control': 'short' }],
  ['/assets/a/b.js', { 'x-one': '1', 'cache-control': 'long: very' }],
  ['/users/ada/photo.png', { 'x-one': '1', 'cache-control': 'short', 'x-photo': 'yes' }],
  ['/users/ada/photoXpng', { 'x-one': '1', 'cache-control': 'short' }],
  ['/users/a/b/photo.png', { 'x-one': '1', 'cache-control': 'short' }],
]
it.each(matches)('%s', (path, headers) => {
  expect(Object.fromEntries(headersFor(rules, path))).toEqual(headers)
})

it.each(['/a\nb', '/\u2028'])('a path that holds a line break is a path: %j', (path) => {
  expect(headersFor(rules, path).get('x-one')).toBe('1')
})

it('refuses a line that is neither', () => {
  expect(() => parseHeadersFile('X-One: 1')).toThrow('neither a path nor an indented header')
})

const ownFile = readFileSync(join(root, 'web/public/_headers'), 'utf8')

/** The directives of the policy that a headers file gives to every page. */
function policyOf(file: string) {
  const policy = headersFor(parseHeadersFile(file), '/').get('content-security-policy') ?? ''
  return Object.fromEntries(policy.split(';').map((part) => part.trim().split(/ (.*)/, 2)))
}

it("the product's own pages run no code but their own, and are shown in no frame", () => {
  expect(policyOf(ownFile)).toMatchObject({
    'script-src': "'self'",
    'connect-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })
  expect(headersFor(parseHeadersFile(ownFile), '/').get('x-content-type-options')).toBe('nosniff')
})

it('pages whose API is elsewhere may call it and show its pictures, and nothing more', () => {
  expect(policyOf(allowApi(ownFile, 'https://api.example.com/'))).toEqual({
    ...policyOf(ownFile),
    'connect-src': "'self' https://api.example.com",
    'img-src': "'self' https://api.example.com data: blob:",
  })
})

it.each(['api.example.com', '/api', 'data:text/html,x', "https: 'unsafe-inline'"])(
  'a build for an API at %j is refused',
  (base) => {
    expect(() => allowApi(ownFile, base)).toThrow('VITE_API_BASE_URL')
  },
)
