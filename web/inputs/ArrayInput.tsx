import { Box, Button, Flex, IconButton, Stack, Text } from '@chakra-ui/react'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { defaultInputs } from '#contract/flow/document/create.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { offeredParams, visibleParams } from '#contract/flow/params/params.ts'
import type { GroupInputProps, Patch, Scope } from './types.ts'

type Item = Record<string, unknown>

const itemsOf = (value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** A list of items with fields, which can be added, removed and reordered. */
export function ArrayInput({ id, param, value, onChange, onDone, scope, Field }: GroupInputProps) {
  const items = itemsOf(value)
  const fields = param.array ?? []
  const reorder = (order: number[]) =>
    onChange(
      order.map((index) => items[index]),
      { order },
    )
  const swap = (index: number, by: number) => {
    const order = items.map((_, at) => at)
    const from = order[index] as number
    order[index] = order[index + by] as number
    order[index + by] = from
    reorder(order)
  }
  const add = () => {
    const added = defaultInputs(fields)
    onChange([...items, added], { added })
  }
  const patch = (index: number, change: Patch) =>
    onChange(items.map((item, at) => (at === index ? { ...item, ...change } : item)))
  const noun = param.label.replace(/s$/, '')
  return (
    <Stack id={id} gap="2" role="group" aria-label={param.label}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no id
        <Box key={index} borderWidth="1px" rounded="lg" p="3" bg="bg.subtle">
          <Flex align="center" gap="1" mb="2">
            <Text fontSize="xs" color="fg.muted" flex="1">
              {noun} {index + 1}
            </Text>
            <ItemButton label={`Move ${noun} ${index + 1} up`} disabled={index === 0} onClick={() => swap(index, -1)}>
              <IconArrowUp size={14} />
            </ItemButton>
            <ItemButton
              label={`Move ${noun} ${index + 1} down`}
              disabled={index === items.length - 1}
              onClick={() => swap(index, 1)}
            >
              <IconArrowDown size={14} />
            </ItemButton>
            <ItemButton
              label={`Remove ${noun} ${index + 1}`}
              disabled={items.length <= (param.minItems ?? 0)}
              onClick={() => reorder(items.map((_, at) => at).toSpliced(index, 1))}
            >
              <IconTrash size={14} />
            </ItemButton>
          </Flex>
          <Stack gap="3">
            {shownFields(param, { item, index, scope }).map((field) => (
              <Field
                key={`${field.name}-${field.type}`}
                prefix={`${id}-${index}`}
                param={field}
                values={item}
                scope={{ ...scope, at: { array: param.name, index } }}
                onPatch={(change) => patch(index, change)}
                onDone={onDone}
              />
            ))}
          </Stack>
        </Box>
      ))}
      <Button size="xs" variant="outline" alignSelf="start" aria-label={`Add ${noun.toLowerCase()}`} onClick={add}>
        <IconPlus size={14} /> Add
      </Button>
    </Stack>
  )
}

/** Returns the visible fields of an item. Nested arrays evaluate conditions within their item. */
function shownFields(
  param: InputParam,
  { item, index, scope }: { item: Item; index: number; scope: Scope },
): InputParam[] {
  const visible = scope.at
    ? visibleParams(param.array ?? [], item)
    : visibleParams(scope.params, scope.inputs, { array: param.name, index })
  return offeredParams(visible, item)
}

interface ItemButtonProps {
  label: string
  disabled: boolean
  onClick: () => void
  children: React.ReactNode
}

function ItemButton({ label, ...rest }: ItemButtonProps) {
  return <IconButton aria-label={label} title={label} size="2xs" variant="ghost" {...rest} />
}
