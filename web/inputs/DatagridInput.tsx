import { Box, Button, Flex, IconButton, Input, NativeSelect, Stack, Text } from '@chakra-ui/react'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { GridColumn } from '#contract/flow/params/definition.ts'
import { emptyRow, type GridRow, optionsOf, parseRows, printRows } from './grid-rows.ts'
import { asText, type InputProps } from './types.ts'

/** A table that people fill in, stored as JSON text of its rows. */
export function DatagridInput({ id, param, value, onChange, onDone }: InputProps) {
  const rows = parseRows(value)
  const columns = param.datagrid ?? []
  const store = (changed: readonly GridRow[]) => onChange(printRows(changed))
  const set = (index: number, field: string, cell: unknown) =>
    store(rows.map((row, at) => (at === index ? { ...row, [field]: cell } : row)))
  return (
    <Stack id={id} gap="2" role="group" aria-label={param.label}>
      {rows.map((row, index) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of older files have no id
          key={index}
          role="group"
          aria-label={`Row ${index + 1}`}
          borderWidth="1px"
          rounded="lg"
          p="3"
          bg="bg.subtle"
        >
          <Flex align="center" mb="2">
            <Text fontSize="xs" color="fg.muted" flex="1">
              Row {index + 1}
            </Text>
            <IconButton
              size="2xs"
              variant="ghost"
              aria-label={`Remove row ${index + 1}`}
              title={`Remove row ${index + 1}`}
              onClick={() => store(rows.toSpliced(index, 1))}
            >
              <IconTrash size={14} />
            </IconButton>
          </Flex>
          <Stack gap="2">
            {columns.map((column) => (
              <Cell
                key={column.field}
                id={`${id}-${index}-${column.field}`}
                column={column}
                value={asText(row[column.field])}
                onChange={(cell) => set(index, column.field, cell)}
                onDone={onDone}
              />
            ))}
          </Stack>
        </Box>
      ))}
      <Button size="xs" variant="outline" alignSelf="start" onClick={() => store([...rows, emptyRow(rows, columns)])}>
        <IconPlus size={14} /> Add row
      </Button>
    </Stack>
  )
}

interface CellProps {
  id: string
  column: GridColumn
  value: string
  onChange: (cell: string) => void
  onDone: () => void
}

/** One value of a row: a choice, or a text with suggestions. */
function Cell({ id, column, value, onChange, onDone }: CellProps) {
  const options = optionsOf(column)
  const isChoice = column.type === 'singleSelect'
  const isKnown = options.some((option) => option.value === value)
  return (
    <Box>
      <Text as="label" {...{ htmlFor: id }} fontSize="xs" color="fg.muted">
        {column.headerName}
      </Text>
      {isChoice ? (
        <NativeSelect.Root size="sm">
          <NativeSelect.Field id={id} value={value} onChange={(event) => onChange(event.target.value)}>
            <option value="">Choose…</option>
            {!isKnown && value !== '' && <option value={value}>{value} (unknown)</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      ) : (
        <Input
          id={id}
          size="sm"
          list={options.length > 0 ? `${id}-list` : undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onDone}
        />
      )}
      {!isChoice && options.length > 0 && (
        <datalist id={`${id}-list`}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </datalist>
      )}
    </Box>
  )
}
