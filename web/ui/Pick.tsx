import { Checkbox } from '@chakra-ui/react'

interface PickProps {
  label: string
  checked: boolean | 'indeterminate'
  onChange: (on: boolean) => void
}

/** Takes a row of a list, or all of them, for what is done with several at once. */
export function Pick({ label, checked, onChange }: PickProps) {
  return (
    <Checkbox.Root minW="6" minH="6" checked={checked} onCheckedChange={(change) => onChange(change.checked === true)}>
      <Checkbox.HiddenInput aria-label={label} />
      <Checkbox.Control />
    </Checkbox.Root>
  )
}
