import { Combobox, createListCollection } from '@chakra-ui/react'
import { comboboxSlotRecipe } from '@chakra-ui/react/theme'
import { IconCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { controlLook } from '../ui/theme/theme.ts'
import { matchingOptions, nameOf, type OfferedInputProps } from './offered-options.ts'
import { asText } from './types.ts'

const NO_SELECTION: string[] = []

/** Not in the theme, because only this lazy-loaded list needs it. */
const recipe = {
  ...comboboxSlotRecipe,
  base: {
    ...comboboxSlotRecipe.base,
    positioner: { ...comboboxSlotRecipe.base?.positioner, zIndex: 'popover' },
    input: { ...comboboxSlotRecipe.base?.input, ...controlLook },
  },
}

/** A combobox that also accepts custom values (`freeSolo`). */
export default function ComboboxInput({ id, param, value, onChange, onDone, options }: OfferedInputProps) {
  const chosen = asText(value)
  const [query, setQuery] = useState('')
  const collection = useMemo(
    () =>
      createListCollection({
        items: matchingOptions(options, query),
        itemToValue: ({ name }) => name,
        itemToString: ({ label }) => label,
      }),
    [options, query],
  )
  const known = options.find(({ name }) => name === chosen)
  return (
    <Combobox.Root
      recipe={recipe}
      ids={{ input: id, label: `${id}-label` }}
      size="sm"
      collection={collection}
      allowCustomValue
      openOnClick
      placeholder={param.placeholder}
      positioning={{ strategy: 'fixed', sameWidth: true }}
      // The text is the value. A selection would be cleared while typing, and the text with it.
      value={NO_SELECTION}
      inputValue={known?.label ?? chosen}
      onValueChange={({ value: [name] }) => {
        if (name === undefined) return
        setQuery('')
        onChange(name)
      }}
      onInputValueChange={({ inputValue, reason }) => {
        if (reason !== 'input-change') return
        setQuery(inputValue)
        onChange(nameOf(options, inputValue))
      }}
    >
      <Combobox.Control>
        <Combobox.Input
          onBlur={() => {
            setQuery('')
            onDone()
          }}
        />
        <Combobox.IndicatorGroup>
          <Combobox.Trigger />
        </Combobox.IndicatorGroup>
      </Combobox.Control>
      <Combobox.Positioner>
        <Combobox.Content hidden={collection.size === 0}>
          {collection.items.map((option) => (
            <Combobox.Item
              key={option.name}
              item={option}
              title={option.description}
              aria-selected={option.name === chosen}
            >
              {option.label}
              {option.name === chosen && <IconCheck size={16} aria-hidden />}
            </Combobox.Item>
          ))}
        </Combobox.Content>
      </Combobox.Positioner>
    </Combobox.Root>
  )
}
