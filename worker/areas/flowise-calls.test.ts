/** Checks the calls that docs/flowise.md promises or omits. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { routes } from './index.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/flowise.md'), 'utf8')
const calls = page.slice(page.indexOf('## API calls'))
const isMounted = (path: string) => routes.some((route) => route.path === path || route.path.startsWith(`${path}/`))
const pathsIn = (text: string) =>
  [...text.matchAll(/`(?:[A-Z]+ )?(\/[^`]+)`/g)].map((match) => (match[1] as string).replace(/\/\{.*/, ''))

it('the promised calls are mounted', () => {
  const promised = pathsIn(calls.slice(0, calls.indexOf('| Not here yet')))
  expect(promised.length).toBeGreaterThan(10)
  expect(promised.filter((path) => !isMounted(path))).toEqual([])
})

it('the omitted calls are not mounted', () => {
  const away = pathsIn(calls.slice(calls.indexOf('| Not here on purpose')))
  expect(away).toEqual(['/ip', '/pricing'])
  expect(away.filter(isMounted)).toEqual([])
})
