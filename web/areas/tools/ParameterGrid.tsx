import { Box, Button, chakra, Grid, IconButton, Input, NativeSelect, Stack, Text } from '@chakra-ui/react'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { PARAMETER_TYPES } from '#contract/tools/parameters.ts'
import { Tick } from '../../ui/forms/Tick.tsx'
import type { ParameterRow } from './tool-form.ts'

interface Props {
  parameters: ParameterRow[]
  error: string | undefined
  onChange(parameters: ParameterRow[]): void
}

/** The parameters of a tool: a row each on wide screens, a card each on phones. */
export function ParameterGrid({ parameters, error, onChange }: Props) {
  const add = () =>
    onChange([
      ...parameters,
      { key: crypto.randomUUID(), property: '', description: '', type: 'string', required: true },
    ])
  const change = (key: string, patch: Partial<ParameterRow>) =>
    onChange(parameters.map((row) => (row.key === key ? { ...row, ...patch } : row)))
  const remove = (key: string) => onChange(parameters.filter((row) => row.key !== key))
  return (
    <chakra.fieldset minW="0">
      <chakra.legend fontWeight="medium" fontSize="sm" mb="1.5">
        Parameters
      </chakra.legend>
      <Stack gap="3">
        {parameters.length === 0 && (
          <Text fontSize="sm" color="fg.muted">
            What the model passes to the function. Optional.
          </Text>
        )}
        {parameters.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            number={index + 1}
            onChange={(patch) => change(row.key, patch)}
            onRemove={() => remove(row.key)}
          />
        ))}
        {error && (
          <Text fontSize="xs" color="fg.error" role="alert">
            {error}
          </Text>
        )}
        <Box>
          <Button size="sm" variant="outline" onClick={add}>
            <IconPlus aria-hidden />
            Add parameter
          </Button>
        </Box>
      </Stack>
    </chakra.fieldset>
  )
}

interface RowProps {
  row: ParameterRow
  number: number
  onChange(patch: Partial<ParameterRow>): void
  onRemove(): void
}

function Row({ row, number, onChange, onRemove }: RowProps) {
  const name = row.property || `parameter ${number}`
  return (
    <Grid
      role="group"
      aria-label={name}
      gap="2"
      alignItems="center"
      templateColumns={{ base: '1fr 1fr auto', md: '10rem 8rem 1fr auto auto' }}
    >
      <Input
        size="sm"
        aria-label={`Name of ${name}`}
        placeholder="Name"
        maxLength={100}
        value={row.property}
        onChange={(event) => onChange({ property: event.target.value.trim() })}
      />
      <NativeSelect.Root size="sm">
        <NativeSelect.Field
          aria-label={`Type of ${name}`}
          value={row.type}
          onChange={(event) => onChange({ type: event.target.value as ParameterRow['type'] })}
        >
          {PARAMETER_TYPES.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      <Input
        size="sm"
        aria-label={`Description of ${name}`}
        placeholder="What the model should put here"
        maxLength={2000}
        gridColumn={{ base: '1 / -1', md: 'auto' }}
        gridRow={{ base: 2, md: 'auto' }}
        value={row.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <Box gridColumn={{ base: '1 / -1', md: 'auto' }} gridRow={{ base: 3, md: 'auto' }}>
        <Tick checked={row.required} onChange={(required) => onChange({ required })}>
          Required
        </Tick>
      </Box>
      <IconButton size="sm" variant="ghost" aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconTrash aria-hidden />
      </IconButton>
    </Grid>
  )
}
