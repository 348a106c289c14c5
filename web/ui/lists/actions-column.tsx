import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { MenuAction } from '../menu/OpenMenu.tsx'
import { RowMenu } from './RowMenu.tsx'
import type { Column } from './RowTable.tsx'

interface Actions<Row> {
  nameOf(row: Row): string
  /** Absent without the permission. */
  onEdit?: ((row: Row) => void) | false
  onDelete?: ((row: Row) => void) | false
  /** Between the two. */
  actionsOf?(row: Row): MenuAction[]
}

/** The actions column of a list: edit, delete and what lies between. */
export function actionsColumn<Row>({ nameOf, onEdit, onDelete, actionsOf }: Actions<Row>): Column<Row> {
  const actions = (row: Row) => [
    ...(onEdit ? [{ label: 'Edit', icon: IconPencil, onSelect: () => onEdit(row) }] : []),
    ...(actionsOf?.(row) ?? []),
    ...(onDelete ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => onDelete(row) }] : []),
  ]
  return { header: 'Actions', quiet: true, cell: (row) => <RowMenu of={nameOf(row)} actions={actions(row)} /> }
}
