/** A build of the product with a made-up kind of flow, added as docs/contributing/adding-things.md says. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '#worker/local/paths.ts'
import { KIND_LINES, withLine } from '#worker/local/testing/made-up-kind.ts'

const SOURCES = ['web', 'worker', 'db', 'migrations', 'index.html', 'package.json', 'package-lock.json']
const SETTINGS = ['vite.config.ts', 'wrangler.toml', 'tsconfig.base.json', 'tsconfig.json']

const WEB_LINES: typeof KIND_LINES = {
  'worker/contract/areas.ts': {
    after: 'export const AREAS = [',
    line: `{ path: '/gardens', title: 'Gardens', description: 'Grow flowers', permission: 'agentflows:view',
      group: 'Main', icon: 'IconMessages', color: 'mark.blue' },`,
  },
  'web/canvas/kinds/index.ts': {
    after: 'CanvasKind>> = {',
    line: 'GARDEN: gardenKind,',
    imports: "import { gardenKind } from './garden/index.ts'",
  },
}

const NEW_FILES: Record<string, string> = {
  'web/canvas/kinds/garden/index.ts': `
    import { gardenFacts } from '#contract/flow/kinds/testing/garden/facts.ts'
    import { garden } from '#contract/flow/kinds/testing/garden/kind.ts'
    import { agentflowKind } from '../agentflow/index.ts'
    import { AgentNode } from '../agentflow/nodes/AgentNode.tsx'
    export const gardenKind = {
      ...agentflowKind,
      type: gardenFacts.type,
      flow: garden,
      nodeComponents: { plant: AgentNode },
      nodeComponent: () => 'plant',
      containerNoun: null,
      isEmpty: ({ nodes }) => nodes.length === 0,
      emptyHint: () => 'Dig a well.',
      runHint: () => 'Water the garden.',
      settingsBelow: () => null,
    }`,
  'web/routes/_main/gardens.index.tsx': `
    import { createFileRoute } from '@tanstack/react-router'
    import { FlowsPage } from '../../flows/FlowsPage.tsx'
    export const Route = createFileRoute('/_main/gardens/')({
      staticData: { title: 'Gardens', permission: 'agentflows:view' },
      component: () => <FlowsPage type="GARDEN" purpose="Grow flowers." emptyText="Dig a well, and water a bed." />,
    })`,
  'web/routes/_canvas/gardens.canvas.{-$id}.tsx': `
    import { createFileRoute } from '@tanstack/react-router'
    import { BuilderPage } from '../../builder/BuilderPage.tsx'
    import { gardenKind } from '../../canvas/kinds/garden/index.ts'
    export const Route = createFileRoute('/_canvas/gardens/canvas/{-$id}')({
      staticData: { title: 'Garden', permission: 'agentflows:view' },
      component: () => <BuilderPage kind={gardenKind} flowId={Route.useParams().id} />,
    })`,
}

/** Builds in a copy of the sources, below `folder`, and returns the build's folder. */
function buildGarden(folder: string): string {
  for (const name of [...SOURCES, ...SETTINGS]) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const [path, line] of Object.entries({ ...KIND_LINES, ...WEB_LINES })) {
    const file = join(folder, path)
    writeFileSync(file, withLine(readFileSync(file, 'utf8'), line))
  }
  for (const [path, text] of Object.entries(NEW_FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
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
