/** The table of dangers in `docs/security.md`, whose last column is made from `@defends` tags in the tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../paths.ts'

export const page = join(root, 'docs/security.md')

const TEST = /\.(test|worker-test|spec)\.tsx?$/
const TAG = /^[ \t]*\/\/ @defends ([\w-]+)$/gm
const ROW = /^\| ([\w-]+) \| ((?:[^|\\]|\\.)*) \| ((?:[^|\\]|\\.)*) \|.*\|$/

/** Returns the paths of the tests that name each danger, in order, by danger. */
export function readTags(): Map<string, string[]> {
  const tags = new Map<string, string[]>()
  for (const path of testPaths())
    for (const [, danger = ''] of readFileSync(join(root, path), 'utf8').matchAll(TAG))
      tags.set(danger, [...new Set([...(tags.get(danger) ?? []), path])])
  return tags
}

/** Returns the dangers of the proof table of a page. */
export function readDangers(text: string): string[] {
  return proofRows(text).map((line) => ROW.exec(line)?.[1] ?? line)
}

/** Returns the page with the tests of each danger in the last column. */
export function fillTests(text: string, tags: ReadonlyMap<string, readonly string[]>): string {
  const rows = new Set(proofRows(text))
  const fill = (line: string) =>
    rows.has(line)
      ? line.replace(ROW, (_, danger, attack, stop) => {
          const tests = (tags.get(danger) ?? []).map((path) => `\`${path}\``).join(', ')
          return `| ${danger} | ${attack} | ${stop} | ${tests} |`
        })
      : line
  return text.split('\n').map(fill).join('\n')
}

const proofRows = (text: string): string[] =>
  (text.split('\n## Proof\n')[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)

function testPaths(): string[] {
  return ['db', 'e2e', 'web', 'worker']
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${room}/${path.replaceAll('\\', '/')}`,
      ),
    )
    .filter((path) => TEST.test(path))
    .sort()
}
