// @defends stored-text-becomes
// @defends odd-path-served
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../paths.ts'
import { addLinks, allowApi, headersFor, parseHeadersFile } from './headers-file.ts'

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
it.each(matches)('finds the headers for the path %s', (path, headers) => {
  expect(Object.fromEntries(headersFor(rules, path))).toEqual(headers)
})

it.each(['/a\nb', '/\u2028'])('matches the path %j, which contains a line break', (path) => {
  expect(headersFor(rules, path).get('x-one')).toBe('1')
})

it('rejects a line that is neither a path nor a header', () => {
  expect(() => parseHeadersFile('X-One: 1')).toThrow('neither a path nor an indented header')
})

const ownFile = readFileSync(join(root, 'web/public/_headers'), 'utf8')

/** The directives of the content security policy for every page. */
function policyOf(file: string) {
  const policy = headersFor(parseHeadersFile(file), '/').get('content-security-policy') ?? ''
  return Object.fromEntries(policy.split(';').map((part) => part.trim().split(/ (.*)/, 2)))
}

it('allows pages only their own code and no frames around them', () => {
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

it('allows calls to and images of an API on another origin', () => {
  expect(policyOf(allowApi(ownFile, 'https://api.example.com/'))).toEqual({
    ...policyOf(ownFile),
    'connect-src': "'self' https://api.example.com",
    'img-src': "'self' https://api.example.com data: blob:",
  })
})

it.each(['api.example.com', '/api', 'data:text/html,x', "https: 'unsafe-inline'"])(
  'rejects a build for an API at %j',
  (base) => {
    expect(() => allowApi(ownFile, base)).toThrow('VITE_API_BASE_URL')
  },
)

it('a page lets its own files be loaded at once, also where its name could be the id of another', () => {
  const links = new Map([
    ['/runs/compare', ['assets/compare.js', 'assets/compare.css']],
    ['/runs/:id', ['assets/run.js']],
    ['/empty', []],
  ])
  const withLinks = parseHeadersFile(addLinks(ownFile, links))
  const linkOf = (path: string) => headersFor(withLinks, path).get('link')
  expect(linkOf('/runs/7')).toBe('</assets/run.js>; rel=modulepreload')
  expect(linkOf('/runs/compare')).toBe(
    '</assets/compare.js>; rel=modulepreload, </assets/compare.css>; rel=preload; as=style; crossorigin',
  )
  expect(linkOf('/empty')).toBeNull()
  expect(headersFor(withLinks, '/runs/7').get('content-security-policy')).toContain("script-src 'self'")
})
