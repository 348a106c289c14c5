/** A build of the product with a made-up kind of flow, added as docs/contributing/adding-things.md says. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '#worker/local/paths.ts'
import { KIND_LINES, withLine } from '#worker/local/testing/made-up-kind.ts'

const SOURCES = ['web', 'worker', 'db', 'migrations', 'index.html', 'package.json', 'package-lock.json']
const SETTINGS = ['vite.config.ts', 'wrangler.toml', 'tsconfig.base.json', 'tsconfig.json']

const CANVAS_KIND = './garden'

const WEB_LINES: typeof KIND_LINES = {
  'worker/contract/areas.ts': {
    after: 'export const AREAS = [',
    line: `{ path: '/gardens', title: 'Gardens', description: 'Grow flowers', permission: 'agentflows:view',
      group: 'Main', icon: 'IconMessages', color: 'mark.blue' },`,
  },
  'web/canvas/kinds/index.ts': {
    after: 'CanvasKind>> = {',
    line: 'GARDEN: gardenKind,',
    imports: `import { gardenKind } from '${CANVAS_KIND}/index.ts'`,
  },
}

/** The files that come with the kind, by where they go. */
const NEW_FILES: Record<string, string> = {
  'web/canvas/kinds/garden/index.ts': 'canvas-kind.ts.txt',
  'web/routes/_main/gardens.index.tsx': 'list-route.tsx.txt',
  'web/routes/_canvas/gardens.canvas.{-$id}.tsx': 'canvas-route.tsx.txt',
  'web/routes/_main/gardens.$id.messages.tsx': 'messages-route.tsx.txt',
}

/** Builds in a copy of the sources, below `folder`, and returns the build's folder. */
function buildGarden(folder: string): string {
  for (const name of [...SOURCES, ...SETTINGS]) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const [path, line] of Object.entries({ ...KIND_LINES, ...WEB_LINES })) {
    const file = join(folder, path)
    writeFileSync(file, withLine(readFileSync(file, 'utf8'), line))
  }
  for (const [path, name] of Object.entries(NEW_FILES)) {
    cpSync(join(import.meta.dirname, 'garden', name), join(folder, path))
  }
  const dist = join(folder, 'dist')
  execFileSync(process.execPath, [join(folder, 'worker/local/build/build-program.ts')], {
    cwd: folder,
    env: { ...process.env, HEDDLE_DIST: dist },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return dist
}

/** Returns the folder to remove afterwards, and the build in it. */
export function makeGardenBuild(): { folder: string; dist: string } {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-garden-'))
  return { folder, dist: buildGarden(folder) }
}
