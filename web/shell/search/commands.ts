/** Actions of the search: what can be made or opened from anywhere. */

import { flowPermissions } from '#contract/access/callers.ts'
import { holds } from '#contract/access/check.ts'
import type { MenuViewer } from '#contract/access/menu.ts'
import { userMenuItems } from '#contract/access/menu.ts'
import { type AreaIcon, type AreaPath, areaOf } from '#contract/areas.ts'
import { FLOW_TYPES } from '#contract/flow/flow-types.ts'
import { CANVAS_TYPES, type CanvasFlowType, KIND_FACTS } from '#contract/flow/kinds/facts.ts'
import { flowLink } from '../../api/flow-link.ts'
import { askExport, askImport } from '../../state/import-export-dialog.ts'
import { ask, type Intent } from '../../state/intent.ts'

type Target = { to: AreaPath | '/assistants/custom' } | ReturnType<typeof flowLink> | null

export interface Command {
  title: string
  /** The page where it happens. */
  path: AreaPath
  icon: AreaIcon
  /** Comma-separated permissions of which one must be held, or the item of the user menu that allows it. */
  needs: { permission: string } | { item: 'import' | 'export' }
  /** Where to go; null to stay. */
  target: Target
  /** Called there: the page before must not take it for its own. */
  run?(): void
}

const creates = (
  title: string,
  path: AreaPath,
  rest: { icon: AreaIcon; permission: string; intent: Intent },
): Command => ({
  title,
  path,
  icon: rest.icon,
  needs: { permission: rest.permission },
  target: { to: path },
  run: () => ask(rest.intent),
})

const TRIGGER_EDITORS = flowPermissions(FLOW_TYPES, 'update')

/** Commands that create flows of one type: an empty one and, where the server can design it, one from a description. */
function newFlows(type: CanvasFlowType): Command[] {
  const { label, generator, pages, permissions } = KIND_FACTS[type]
  const path = pages.list
  const command = {
    path,
    icon: areaOf(path).icon,
    needs: { permission: `${permissions}:create` },
    target: flowLink(type),
  }
  return [
    { ...command, title: `New ${label.toLowerCase()}` },
    ...(generator === null ? [] : [{ ...command, title: 'Describe what you want', run: () => ask('describe') }]),
  ]
}

const COMMANDS: readonly Command[] = [
  ...CANVAS_TYPES.flatMap(newFlows),
  creates('New schedule', '/triggers', { icon: 'IconBolt', permission: TRIGGER_EDITORS, intent: 'schedule' }),
  creates('New webhook', '/triggers', { icon: 'IconBolt', permission: TRIGGER_EDITORS, intent: 'webhook' }),
  {
    title: 'New assistant',
    path: '/assistants',
    icon: 'IconRobot',
    needs: { permission: 'assistants:create' },
    target: { to: '/assistants/custom' },
    run: () => ask('assistant'),
  },
  creates('New credential', '/credentials', {
    icon: 'IconLock',
    permission: 'credentials:create',
    intent: 'credential',
  }),
  creates('New variable', '/variables', { icon: 'IconVariable', permission: 'variables:create', intent: 'variable' }),
  creates('New document store', '/document-stores', {
    icon: 'IconBooks',
    permission: 'documentStores:create',
    intent: 'documentStore',
  }),
  creates('New API key', '/apikey', { icon: 'IconKey', permission: 'apikeys:create', intent: 'apikey' }),
  creates('New tool', '/tools', { icon: 'IconTool', permission: 'tools:create', intent: 'tool' }),
  {
    title: 'Import',
    path: '/agentflows',
    icon: 'IconHierarchy3',
    needs: { item: 'import' },
    target: null,
    run: () => askImport(),
  },
  {
    title: 'Export',
    path: '/agentflows',
    icon: 'IconHierarchy3',
    needs: { item: 'export' },
    target: null,
    run: askExport,
  },
]

/** Returns the actions that the viewer may take. `paths` are the pages that the menu shows them. */
export function commandsFor(viewer: MenuViewer, paths: readonly string[]): Command[] {
  const items = userMenuItems(viewer)
  return COMMANDS.filter(({ needs, path }) =>
    'item' in needs ? items.includes(needs.item) : holds(viewer, needs.permission) && paths.includes(path),
  )
}
