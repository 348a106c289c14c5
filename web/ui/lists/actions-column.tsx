import { IconPencil, IconTrash } from '@tabler/icons-react'
import { RowMenu } from './RowMenu.tsx'
import type { Column } from './RowTable.tsx'

interface Actions<Row> {
  nameOf(row: Row): string
  /** Absent without the permission. */
  onEdit?: ((row: Row) => void) | false
  onDelete?: ((row: Row) => void) | false
}

/** The actions column of a list: edit and delete. */
export function actionsColumn<Row>({ nameOf, onEdit, onDelete }: Actions<Row>): Column<Row> {
  const actions = (row: Row) => [
    ...(onEdit ? [{ label: 'Edit', icon: IconPencil, onSelect: () => onEdit(row) }] : []),
    ...(onDelete ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => onDelete(row) }] : []),
  ]
  return { header: 'Actions', quiet: true, cell: (row) => <RowMenu of={nameOf(row)} actions={actions(row)} /> }
}
