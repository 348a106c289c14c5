import { Box, Button, Checkbox, chakra, Flex, IconButton, Input, NativeSelect, Stack } from '@chakra-ui/react'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { BodyRow, ExpectedRow } from './draft.ts'

interface ExpectedFieldsProps<Row extends ExpectedRow> {
  label: string
  rows: Row[]
  /** What it adds one of: `body field`. */
  item: string
  /** The types of a body's fields; other parts hold texts only. */
  types?: readonly BodyRow['type'][]
  onChange: (rows: Row[]) => void
}

/** Edits the fields that requests must have in one part; body fields have a type too. */
export function ExpectedFields<Row extends ExpectedRow | BodyRow>(props: ExpectedFieldsProps<Row>) {
  const { label, item, rows, types = [], onChange } = props
  const change = (at: number, part: Partial<BodyRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  const add = () =>
    onChange([...rows, { name: '', required: true, ...(types.length > 0 && { type: 'string' }) } as Row])
  return (
    <chakra.fieldset>
      <chakra.legend fontWeight="medium" textStyle="sm" mb="1.5">
        {label}
      </chakra.legend>
      <Stack gap="2">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id while they are being edited
          <Flex key={at} gap="2" align="center" wrap="wrap">
            <Input
              size="sm"
              flex="1 1 8rem"
              fontFamily="mono"
              aria-label={`${label}: name ${at + 1}`}
              value={row.name}
              onChange={(event) => change(at, { name: event.target.value })}
            />
            {'type' in row && (
              <NativeSelect.Root size="sm" w="36">
                <NativeSelect.Field
                  aria-label={`${label}: type ${at + 1}`}
                  value={row.type}
                  onChange={(event) => change(at, { type: event.target.value as BodyRow['type'] })}
                >
                  {types.map((type) => (
                    <option key={type} value={type}>
                      {type}
                    </option>
                  ))}
                </NativeSelect.Field>
                <NativeSelect.Indicator />
              </NativeSelect.Root>
            )}
            <Checkbox.Root
              size="sm"
              minH="6"
              checked={row.required}
              onCheckedChange={({ checked }) => change(at, { required: checked === true })}
            >
              <Checkbox.HiddenInput />
              <Checkbox.Control />
              <Checkbox.Label>Required</Checkbox.Label>
            </Checkbox.Root>
            <IconButton
              size="xs"
              variant="ghost"
              aria-label={`${label}: remove ${row.name || at + 1}`}
              onClick={() => onChange(rows.filter((_, index) => index !== at))}
            >
              <IconX aria-hidden />
            </IconButton>
          </Flex>
        ))}
        <Box>
          <Button size="xs" variant="outline" onClick={add}>
            <IconPlus aria-hidden />
            Add {item}
          </Button>
        </Box>
      </Stack>
    </chakra.fieldset>
  )
}
