/** Which icons the canvas draws before anybody touches it: those that its page imports, and what that imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './paths.ts'

const PAGES = ['web/main.tsx', 'web/routes/__root.tsx', 'web/routes/_canvas.tsx', 'web/routes/_canvas/*.tsx']
const IMPORT = / from '(\.[^']+)'$/
const ICONS = /^import \{([^}]+)\} from '@tabler\/icons-react'/gm
const ICON_FILE = /[\\/](Icon\w+)\.mjs$/

/** Returns true for the files of icons that only other pages draw, or parts of the canvas that load later. */
export function isOtherIcon(id: string): boolean {
  const icon = ICON_FILE.exec(id)?.[1]
  return icon !== undefined && !canvasIcons.has(icon)
}

const canvasIcons: ReadonlySet<string> = new Set(
  [...importedBy(globSync(PAGES, { cwd: root }).map((page) => join(root, page)))].flatMap((source) =>
    [...source.matchAll(ICONS)].flatMap(([, names = '']) => names.match(/\bIcon\w+/g) ?? []),
  ),
)

/** Returns the sources of these files and of all that they import, without what they load later. */
function importedBy(files: readonly string[]): Set<string> {
  const sources = new Map<string, string>()
  const follow = (file: string): void => {
    if (sources.has(file)) return
    const source = readFileSync(file, 'utf8')
    sources.set(file, source)
    for (const line of source.split('\n')) {
      const target = line.startsWith('import type ') ? undefined : IMPORT.exec(line)?.[1]
      // The table of routes imports all pages.
      if (target?.match(/(?<!\.gen)\.tsx?$/)) follow(join(dirname(file), target))
    }
  }
  files.forEach(follow)
  return new Set(sources.values())
}
