import { Badge, Button, Code, Text } from '@chakra-ui/react'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { Variable } from '#contract/variables.ts'
import { useCan } from '../../api/use-can.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { notify } from '../../state/notify.ts'
import { actionsColumn } from '../../ui/lists/actions-column.tsx'
import { ListPage } from '../../ui/lists/ListPage.tsx'
import { assetSorts, viewOf } from '../../ui/lists/list-view.ts'
import type { Column } from '../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { deleteVariable, saveVariable, variablesQuery } from './queries.ts'
import { VariableDialog } from './VariableDialog.tsx'

const sorts = assetSorts<Variable>((variable) => variable.name)

/** The list of variables in the workspace. */
export function VariablesPage() {
  const query = useQuery(variablesQuery)
  const can = useCan()
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState(0)
  const [editing, setEditing] = useState<Variable | 'new'>()

  const rows =
    query.data &&
    viewOf(query.data, { query: search, text: ({ name, value }) => `${name}\n${value}`, sort: sorts[sort] })
  const columns: Column<Variable>[] = [
    { header: 'Name', cell: ({ name }) => <Code>{name}</Code> },
    { header: 'Value', cell: ({ value }) => <Text lineClamp="2">{value}</Text> },
    { header: 'Type', cell: ({ type }) => <Badge>{type}</Badge>, minor: true },
    { header: 'Last updated', cell: ({ updatedDate }) => <RelativeTime date={updatedDate} />, minor: true },
    actionsColumn({
      nameOf: (variable) => variable.name,
      onEdit: can('variables:update,variables:create') && setEditing,
      onDelete: can('variables:delete') && confirmDelete,
    }),
  ]
  const create = can('variables:create') && (
    <Button colorPalette="accent" onClick={() => setEditing('new')}>
      <IconPlus aria-hidden />
      New variable
    </Button>
  )
  return (
    <>
      <ListPage
        title="Variables"
        purpose="Values shared by all flows of this workspace."
        noun="variables"
        list={{ rows, error: query.error, retry: query.refetch }}
        columns={columns}
        search={{ value: search, onChange: setSearch }}
        sort={{ value: sort, labels: sorts.map((each) => each.label), onChange: setSort }}
        actions={create}
        empty={{
          title: 'No variables yet',
          text: 'Create a variable for values that several flows share, such as a base URL or a company name.',
          action: create,
        }}
      />
      {editing && (
        <VariableDialog variable={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}

const confirmDelete = ({ id, name, value, type }: Variable) =>
  deleteAsset({
    name,
    description: 'Steps that use it will fail.',
    remove: () => deleteVariable(id),
    undo: { label: 'Undo', run: () => restore({ name, value, type }) },
  })

const restore = (variable: Pick<Variable, 'name' | 'value' | 'type'>) =>
  saveVariable(variable).catch((error: unknown) =>
    notify.error(`Couldn’t restore “${variable.name}”: ${errorMessage(error)}`),
  )
