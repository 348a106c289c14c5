import { Button, Flex, Link as TextLink } from '@chakra-ui/react'
import { IconCopy, IconLayoutGridAdd, IconPencil, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Chatflow } from '#contract/chatflows.ts'
import { flowLink } from '../../api/flow-link.ts'
import { useCan } from '../../api/use-can.ts'
import { RenameDialog } from '../../builder/RenameDialog.tsx'
import { duplicateFlow } from './actions.ts'
import { FlowCard } from './FlowCard.tsx'
import { FlowListPage } from './FlowListPage.tsx'
import { ImportButton } from './ImportButton.tsx'
import { flowPages } from './queries.ts'
import { summaryOf } from './summary.ts'
import { UnsupportedFlowsLink } from './UnsupportedFlowsLink.tsx'

const TemplateDialog = lazy(() => import('../../builder/templates/TemplateDialog.tsx'))

/** The list of agent flows in the workspace. */
export function AgentflowsPage() {
  const [renaming, setRenaming] = useState<Chatflow>()
  const [template, setTemplate] = useState<Chatflow>()
  const can = useCan()
  const actions = can('agentflows:create') && (
    <Flex gap="2" wrap="wrap" justify="center">
      <ImportButton />
      <NewFlow />
    </Flex>
  )
  return (
    <>
      <FlowListPage
        title="Agentflows"
        purpose="Build agents and workflows visually."
        noun="agent flows"
        pages={flowPages}
        name={(flow) => <NameLink flow={flow} />}
        columns={[{ header: 'Nodes', cell: (flow) => summaryOf(flow).nodes, minor: true }]}
        actionsOf={(flow) => [
          ...(can('agentflows:update')
            ? [{ label: 'Rename', icon: IconPencil, onSelect: () => setRenaming(flow) }]
            : []),
          ...(can('agentflows:create')
            ? [{ label: 'Duplicate', icon: IconCopy, onSelect: () => duplicateFlow(flow) }]
            : []),
          ...(can('templates:create')
            ? [{ label: 'Save as template', icon: IconLayoutGridAdd, onSelect: () => setTemplate(flow) }]
            : []),
        ]}
        canDelete={can('agentflows:delete')}
        card={(flow, menu) => <FlowCard flow={flow} menu={menu} />}
        actions={actions}
        empty={{
          title: 'Create your first agent flow',
          text: 'Add a few nodes, connect them, and start chatting. No API key needed.',
          action: actions,
        }}
      />
      <UnsupportedFlowsLink />
      {renaming && <RenameDialog flow={renaming} onClose={() => setRenaming(undefined)} />}
      {template && (
        <Suspense>
          <TemplateDialog of={{ flow: template }} onClose={() => setTemplate(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function NewFlow() {
  return (
    <Button asChild colorPalette="accent">
      <Link {...flowLink('AGENTFLOW')}>
        <IconPlus aria-hidden />
        New agent flow
      </Link>
    </Button>
  )
}

function NameLink({ flow }: { flow: Chatflow }) {
  return (
    <TextLink asChild fontWeight="medium" color="fg" minH="6" overflowWrap="anywhere">
      <Link {...flowLink('AGENTFLOW', flow.id)}>{flow.name}</Link>
    </TextLink>
  )
}
