import { Badge, Button, Link as TextLink } from '@chakra-ui/react'
import { IconArrowLeft, IconEye } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { FLOW_TYPE_NAMES } from '#contract/chatflows.ts'
import { useCan } from '../../api/use-can.ts'
import { FlowListPage } from './FlowListPage.tsx'
import { keptFlowPages } from './queries.ts'

const KeptFlowView = lazy(() => import('./KeptFlowView.tsx'))

interface KeptFlowsPageProps {
  /** The flow that is looked at. */
  open: string | undefined
  onOpen: (id: string | undefined) => void
}

/** Flows of other kinds that an import kept: they can be looked at, exported again and deleted. */
export function KeptFlowsPage({ open, onOpen }: KeptFlowsPageProps) {
  const can = useCan()
  const back = (
    <Button asChild variant="outline">
      <Link to="/agentflows">
        <IconArrowLeft aria-hidden />
        Agentflows
      </Link>
    </Button>
  )
  return (
    <>
      <FlowListPage
        title="Kept flows"
        purpose="Imported flows that cannot run yet. They are stored unchanged: look at them, export or delete them."
        noun="kept flows"
        pages={keptFlowPages}
        name={({ id, name }) => (
          <TextLink asChild fontWeight="medium" color="fg" minH="6" overflowWrap="anywhere">
            <Link to="/agentflows/kept" search={{ flow: id }}>
              {name}
            </Link>
          </TextLink>
        )}
        columns={[
          { header: 'Kind', cell: (flow) => FLOW_TYPE_NAMES[flow.type] },
          { header: 'Status', cell: () => <Badge colorPalette="warning">Kept, cannot run yet</Badge>, minor: true },
        ]}
        actionsOf={({ id }) => [{ label: 'View', icon: IconEye, onSelect: () => onOpen(id) }]}
        mayDelete={can('chatflows:delete')}
        actions={back}
        empty={{
          title: 'No kept flows',
          text: 'Chat flows, older agent flows and flows of assistants from an import appear here.',
          action: back,
        }}
      />
      <Suspense>
        {open !== undefined && <KeptFlowView key={open} id={open} onClose={() => onOpen(undefined)} />}
      </Suspense>
    </>
  )
}
