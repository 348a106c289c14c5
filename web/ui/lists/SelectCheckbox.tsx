import { Checkbox } from '@chakra-ui/react'

interface SelectCheckboxProps {
  label: string
  checked: boolean | 'indeterminate'
  onChange: (on: boolean) => void
}

/** The checkbox that selects one row of a list, or all of them, for bulk actions. */
export function SelectCheckbox({ label, checked, onChange }: SelectCheckboxProps) {
  return (
    <Checkbox.Root minW="6" minH="6" checked={checked} onCheckedChange={(change) => onChange(change.checked === true)}>
      <Checkbox.HiddenInput aria-label={label} />
      <Checkbox.Control />
    </Checkbox.Root>
  )
}
