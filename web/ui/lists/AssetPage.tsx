import { Button, Flex } from '@chakra-ui/react'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { MenuAction } from '../menu/OpenMenu.tsx'
import { RelativeTime } from '../RelativeTime.tsx'
import { actionsColumn } from './actions-column.tsx'
import { ListPage, type ListPageProps } from './ListPage.tsx'
import { assetSorts, viewOf } from './list-view.ts'
import type { Column } from './RowTable.tsx'

interface AssetPageProps<Asset extends { id: string }>
  extends Pick<ListPageProps<Asset>, 'title' | 'purpose' | 'noun' | 'columns' | 'below'> {
  query: { data: Asset[] | undefined; error: Error | null; refetch(): void }
  nameOf(asset: Asset): string
  /** The text that a search looks at. Defaults to the name. */
  textOf?(asset: Asset): string
  /** False without the permission. */
  create: { label: string; disabled?: boolean; onClick(): void } | false
  onEdit: ((asset: Asset) => void) | false
  onDelete: ((asset: Asset) => void) | false
  /** Further actions of a row, between edit and delete. */
  actionsOf?(asset: Asset): MenuAction[]
  /** Beside the create button. */
  links?: ReactNode
  empty: { title: string; text: string }
  /** The dialogs of the page. */
  children: ReactNode
}

/** The page of a kind of asset: all assets in a table, with search, sort, create, edit and delete. */
export function AssetPage<Asset extends { id: string; updatedDate: string }>({
  query,
  nameOf,
  textOf = nameOf,
  columns,
  create,
  onEdit,
  onDelete,
  actionsOf,
  links,
  empty,
  children,
  ...texts
}: AssetPageProps<Asset>) {
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState(0)
  const sorts = assetSorts(nameOf)
  const rows = query.data && viewOf(query.data, { query: search, text: textOf, sort: sorts[sort] })
  const updated: Column<Asset> = {
    header: 'Last updated',
    cell: ({ updatedDate }) => <RelativeTime date={updatedDate} />,
    minor: true,
  }
  const actions = (create || links) && (
    <Flex gap="2" wrap="wrap" justify="center">
      {links}
      {create && (
        <Button colorPalette="accent" disabled={create.disabled} onClick={create.onClick}>
          <IconPlus aria-hidden />
          {create.label}
        </Button>
      )}
    </Flex>
  )
  return (
    <>
      <ListPage
        {...texts}
        list={{ rows, error: query.error, retry: query.refetch }}
        columns={[...columns, updated, actionsColumn({ nameOf, onEdit, onDelete, ...(actionsOf && { actionsOf }) })]}
        search={{ value: search, onChange: setSearch }}
        sort={{ value: sort, labels: sorts.map(({ label }) => label), onChange: setSort }}
        actions={actions}
        empty={{ ...empty, action: actions }}
      />
      {children}
    </>
  )
}
