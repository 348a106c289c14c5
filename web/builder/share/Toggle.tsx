import { Box, Switch, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'

interface ToggleProps {
  label: string
  help: ReactNode
  on: boolean
  onChange: (on: boolean) => void
}

export function Toggle({ label, help, on, onChange }: ToggleProps) {
  return (
    <Box>
      <Switch.Root checked={on} onCheckedChange={({ checked }) => onChange(checked)}>
        <Switch.HiddenInput />
        <Switch.Control />
        <Switch.Label>{label}</Switch.Label>
      </Switch.Root>
      <Text textStyle="sm" color="fg.muted">
        {help}
      </Text>
    </Box>
  )
}
