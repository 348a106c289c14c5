import { Checkbox } from '@chakra-ui/react'
import type { ReactNode } from 'react'

interface TickProps {
  checked: boolean | 'indeterminate'
  onChange(on: boolean): void
  strong?: boolean
  disabled?: boolean
  /** The label. */
  children: ReactNode
}

/** A small checkbox with its label, for long lists of choices. */
export function Tick({ checked, onChange, strong, disabled = false, children }: TickProps) {
  return (
    <Checkbox.Root
      size="sm"
      minH="6"
      colorPalette="accent"
      disabled={disabled}
      checked={checked}
      onCheckedChange={(change) => onChange(change.checked === true)}
    >
      <Checkbox.HiddenInput />
      <Checkbox.Control />
      <Checkbox.Label fontWeight={strong ? 'medium' : 'normal'} overflowWrap="anywhere" minW="0">
        {children}
      </Checkbox.Label>
    </Checkbox.Root>
  )
}
