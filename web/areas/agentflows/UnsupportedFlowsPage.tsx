import { Badge, Button, Link as TextLink } from '@chakra-ui/react'
import { IconArrowLeft, IconEye } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { kindOf } from '#contract/flow/kinds/index.ts'
import { useCan } from '../../api/use-can.ts'
import { FlowListPage } from '../../flows/FlowListPage.tsx'
import { unsupportedFlowPages } from '../../flows/queries.ts'

const UnsupportedFlowView = lazy(() => import('./UnsupportedFlowView.tsx'))

interface UnsupportedFlowsPageProps {
  /** Id of the flow being viewed. */
  open: string | undefined
  onOpen: (id: string | undefined) => void
}

/** The list of imported flows of unsupported types, which can be viewed, exported and deleted. */
export function UnsupportedFlowsPage({ open, onOpen }: UnsupportedFlowsPageProps) {
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
        title="Unsupported flows"
        purpose="Imported flows that can’t run. They are stored unchanged: view one to see why, export it or delete it."
        noun="unsupported flows"
        pages={unsupportedFlowPages}
        name={({ id, name }) => (
          <TextLink asChild fontWeight="medium" color="fg" minH="6" overflowWrap="anywhere">
            <Link to="/agentflows/unsupported" search={{ flow: id }}>
              {name}
            </Link>
          </TextLink>
        )}
        columns={[
          { header: 'Type', cell: (flow) => kindOf(flow.type).label },
          { header: 'Status', cell: () => <Badge colorPalette="warning">Can’t run</Badge>, minor: true },
        ]}
        actionsOf={({ id }) => [{ label: 'View', icon: IconEye, onSelect: () => onOpen(id) }]}
        canDelete={can('chatflows:delete')}
        actions={back}
        empty={{
          title: 'No unsupported flows',
          text: 'Multi-agent and sequential-agent flows appear here when you import them.',
          action: back,
        }}
      />
      <Suspense>
        {open !== undefined && <UnsupportedFlowView key={open} id={open} onClose={() => onOpen(undefined)} />}
      </Suspense>
    </>
  )
}
