import { Button, Flex, Link as TextLink } from '@chakra-ui/react'
import { IconCopy, IconDownload, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import type { Chatflow } from '#contract/chatflows.ts'
import { useCan } from '../../api/use-can.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowMenu } from '../../ui/RowMenu.tsx'
import type { Column } from '../../ui/RowTable.tsx'
import { askAndDeleteFlow, downloadFlow, duplicateFlow } from './actions.ts'
import { FlowCard } from './FlowCard.tsx'
import { ImportButton } from './ImportButton.tsx'
import { KeptFlowsLink } from './KeptFlowsLink.tsx'
import { flowPages } from './queries.ts'
import { RenameDialog } from './RenameDialog.tsx'
import { summaryOf } from './summary.ts'

/** Every agent flow of the workspace. */
export function AgentflowsPage() {
  const [search, setSearch] = useState('')
  const [renaming, setRenaming] = useState<Chatflow>()
  const query = useInfiniteQuery(flowPages(useDeferredValue(search)))
  const can = useCan()

  const menu = (flow: Chatflow) => (
    <RowMenu
      of={flow.name}
      actions={[
        ...(can('agentflows:update') ? [{ label: 'Rename', icon: IconPencil, onSelect: () => setRenaming(flow) }] : []),
        ...(can('agentflows:create')
          ? [{ label: 'Duplicate', icon: IconCopy, onSelect: () => duplicateFlow(flow) }]
          : []),
        { label: 'Export', icon: IconDownload, onSelect: () => downloadFlow(flow) },
        ...(can('agentflows:delete')
          ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => askAndDeleteFlow(flow) }]
          : []),
      ]}
    />
  )
  const columns: Column<Chatflow>[] = [
    { header: 'Name', cell: (flow) => <NameLink flow={flow} /> },
    { header: 'Nodes', cell: (flow) => summaryOf(flow).nodes, minor: true },
    { header: 'Last changed', cell: (flow) => <RelativeTime date={flow.updatedDate} />, minor: true },
    { header: 'Actions', cell: menu, quiet: true },
  ]
  const actions = can('agentflows:create') && (
    <Flex gap="2" wrap="wrap" justify="center">
      <ImportButton />
      <NewFlow />
    </Flex>
  )
  return (
    <>
      <ListPage
        title="Agentflows"
        purpose="Agents and workflows that you draw on a canvas and talk to."
        noun="agent flows"
        list={{
          rows: query.data?.pages.flatMap((page) => page.data),
          error: query.error,
          retry: query.refetch,
          loadMore: query.hasNextPage ? query.fetchNextPage : undefined,
          loadingMore: query.isFetchingNextPage,
        }}
        columns={columns}
        card={(flow) => <FlowCard flow={flow} menu={menu(flow)} />}
        search={{ value: search, onChange: setSearch }}
        actions={actions}
        empty={{
          title: 'Draw your first agent flow',
          text: 'Put a few nodes on the canvas, connect them, and talk to the result. It works without any key.',
          action: actions,
        }}
      />
      <KeptFlowsLink />
      {renaming && <RenameDialog flow={renaming} onClose={() => setRenaming(undefined)} />}
    </>
  )
}

function NewFlow() {
  return (
    <Button asChild colorPalette="accent">
      <Link to="/v2/agentcanvas/{-$id}" params={{}}>
        <IconPlus aria-hidden />
        New agent flow
      </Link>
    </Button>
  )
}

function NameLink({ flow }: { flow: Chatflow }) {
  return (
    <TextLink asChild fontWeight="medium" color="fg" minH="6" overflowWrap="anywhere">
      <Link to="/v2/agentcanvas/{-$id}" params={{ id: flow.id }}>
        {flow.name}
      </Link>
    </TextLink>
  )
}
