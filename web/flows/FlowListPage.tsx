import { IconDownload, IconMessages, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useState } from 'react'
import type { FlowListItem } from '#contract/chatflows/flow-summary.ts'
import { messagesLink } from '../api/flow-link.ts'
import { ListPage, type ListPageProps } from '../ui/lists/ListPage.tsx'
import { RowMenu } from '../ui/lists/RowMenu.tsx'
import type { Column } from '../ui/lists/RowTable.tsx'
import type { MenuAction } from '../ui/menu/OpenMenu.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { confirmDeleteFlow, downloadFlow } from './actions.ts'
import type { unsupportedFlowPages } from './queries.ts'

interface FlowListPageProps
  extends Pick<ListPageProps<FlowListItem>, 'title' | 'purpose' | 'noun' | 'actions' | 'empty'> {
  /** Loads the flows whose name contains `search`. */
  pages: (search: string) => ReturnType<typeof unsupportedFlowPages>
  name: (flow: FlowListItem) => ReactNode
  /** Columns between the name and the date of the last update. */
  columns: Column<FlowListItem>[]
  /** Row actions before Export and Delete. */
  actionsOf?: (flow: FlowListItem) => MenuAction[]
  canDelete: boolean
  card?: (flow: FlowListItem, menu: ReactNode) => ReactNode
}

/** A searchable list of flows, whose messages can be read, and which can be exported and deleted. */
export function FlowListPage({ pages, name, columns, actionsOf, canDelete, card, ...page }: FlowListPageProps) {
  const [search, setSearch] = useState('')
  const navigate = useNavigate()
  const query = useInfiniteQuery(pages(useDeferredValue(search)))
  const menu = (flow: FlowListItem) => (
    <RowMenu
      of={flow.name}
      actions={[
        ...(actionsOf?.(flow) ?? []),
        { label: 'Messages', icon: IconMessages, onSelect: () => void navigate(messagesLink(flow.type, flow.id)) },
        { label: 'Export', icon: IconDownload, onSelect: () => downloadFlow(flow) },
        ...(canDelete
          ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => confirmDeleteFlow(flow) }]
          : []),
      ]}
    />
  )
  return (
    <ListPage
      {...page}
      list={{
        rows: query.data?.pages.flatMap((each) => each.data),
        error: query.error,
        retry: query.refetch,
        loadMore: query.hasNextPage ? query.fetchNextPage : undefined,
        loadingMore: query.isFetchingNextPage,
      }}
      columns={[
        { header: 'Name', cell: name },
        ...columns,
        { header: 'Last updated', cell: (flow) => <RelativeTime date={flow.updatedDate} />, minor: true },
        { header: 'Actions', cell: menu, quiet: true },
      ]}
      {...(card && { card: (flow: FlowListItem) => card(flow, menu(flow)) })}
      search={{ value: search, onChange: setSearch }}
    />
  )
}
