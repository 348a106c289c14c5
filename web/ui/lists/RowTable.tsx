import { Box, Table } from '@chakra-ui/react'
import type { ReactNode } from 'react'

export interface Column<Row> {
  header: string
  cell(row: Row): ReactNode
  /** Shows the header to screen readers only. */
  quiet?: boolean
  /** Hidden on phones. */
  minor?: boolean
  /** Takes more room than the others, for names of any length. */
  wide?: boolean
}

export function RowTable<Row extends { id: string }>({
  rows,
  columns,
  label,
}: {
  rows: Row[]
  columns: Column<Row>[]
  label: string
}) {
  return (
    <Box borderWidth="1px" borderRadius="l3" bg="bg.panel" overflow="hidden">
      <Table.Root
        aria-label={label}
        tableLayout="fixed"
        css={{ '& tr': { bg: 'transparent' }, '& tr:last-child td': { borderBottomWidth: 0 } }}
      >
        <Table.Header>
          <Table.Row>
            {columns.map((column) => (
              <Table.ColumnHeader
                key={column.header}
                hideBelow={column.minor ? 'md' : undefined}
                w={column.quiet ? '16' : column.wide ? { base: '45%', md: '35%' } : undefined}
                color="fg.muted"
                fontWeight="medium"
              >
                {column.quiet ? <Box srOnly>{column.header}</Box> : column.header}
              </Table.ColumnHeader>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map((row) => (
            <Table.Row key={row.id}>
              {columns.map((column) => (
                <Table.Cell
                  key={column.header}
                  hideBelow={column.minor ? 'md' : undefined}
                  textAlign={column.quiet ? 'end' : 'start'}
                  overflowWrap="anywhere"
                >
                  {column.cell(row)}
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </Box>
  )
}
