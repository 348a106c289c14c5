/** Which icons the canvas draws before anybody touches it: those that its page imports, and what that imports. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { readSource } from './import-graph.ts'
import { root } from './paths.ts'

const PAGES = ['web/main.tsx', 'web/routes/__root.tsx', 'web/routes/_canvas.tsx', 'web/routes/_canvas/*.tsx']
const ICONS = /^import \{([^}]+)\} from '@tabler\/icons-react'/gm
const ICON_FILE = /[\\/](Icon\w+)\.mjs$/

/** Returns true for the files of icons that only other pages draw, or parts of the canvas that load later. */
export function isOtherIcon(id: string): boolean {
  const icon = ICON_FILE.exec(id)?.[1]
  return icon !== undefined && !canvasIcons.has(icon)
}

const canvasIcons: ReadonlySet<string> = new Set(
  [...textsFrom(globSync(PAGES, { cwd: root }))].flatMap((text) =>
    [...text.matchAll(ICONS)].flatMap(([, names = '']) => names.match(/\bIcon\w+/g) ?? []),
  ),
)

/** Returns the texts of these files and of all that they import, without what they load later. */
function textsFrom(files: string[]): Set<string> {
  const texts = new Map<string, string>()
  const waiting = [...files]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    // The table of routes imports all pages.
    if (texts.has(file) || !/(?<!\.gen)\.tsx?$/.test(file)) continue
    const { text, values } = readSource(join(root, file))
    texts.set(file, text)
    waiting.push(...values)
  }
  return new Set(texts.values())
}
