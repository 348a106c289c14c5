import { Badge, Button, Text } from '@chakra-ui/react'
import { IconArrowLeft, IconDownload, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { type Chatflow, FLOW_TYPE_NAMES } from '#contract/chatflows.ts'
import { useCan } from '../../api/use-can.ts'
import { ListPage } from '../../ui/ListPage.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowMenu } from '../../ui/RowMenu.tsx'
import type { Column } from '../../ui/RowTable.tsx'
import { askAndDeleteFlow, downloadFlow } from './actions.ts'
import { keptFlowPages } from './queries.ts'

/** Flows of other kinds that an import kept: they can be exported again and deleted. */
export function KeptFlowsPage() {
  const [search, setSearch] = useState('')
  const query = useInfiniteQuery(keptFlowPages(useDeferredValue(search)))
  const can = useCan()
  const columns: Column<Chatflow>[] = [
    { header: 'Name', cell: (flow) => <Text overflowWrap="anywhere">{flow.name}</Text> },
    { header: 'Kind', cell: (flow) => FLOW_TYPE_NAMES[flow.type] },
    { header: 'Status', cell: () => <Badge colorPalette="warning">Kept, cannot run yet</Badge>, minor: true },
    { header: 'Last changed', cell: (flow) => <RelativeTime date={flow.updatedDate} />, minor: true },
    {
      header: 'Actions',
      quiet: true,
      cell: (flow) => (
        <RowMenu
          of={flow.name}
          actions={[
            { label: 'Export', icon: IconDownload, onSelect: () => downloadFlow(flow) },
            ...(can('chatflows:delete')
              ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => askAndDeleteFlow(flow) }]
              : []),
          ]}
        />
      ),
    },
  ]
  const back = (
    <Button asChild variant="outline">
      <Link to="/agentflows">
        <IconArrowLeft aria-hidden />
        Agentflows
      </Link>
    </Button>
  )
  return (
    <ListPage
      title="Kept flows"
      purpose="Imported flows that cannot run yet. They are stored unchanged: export or delete them."
      noun="kept flows"
      list={{
        rows: query.data?.pages.flatMap((page) => page.data),
        error: query.error,
        retry: query.refetch,
        loadMore: query.hasNextPage ? query.fetchNextPage : undefined,
        loadingMore: query.isFetchingNextPage,
      }}
      columns={columns}
      search={{ value: search, onChange: setSearch }}
      actions={back}
      empty={{
        title: 'No kept flows',
        text: 'Chat flows, older agent flows and flows of assistants from an import appear here.',
        action: back,
      }}
    />
  )
}
