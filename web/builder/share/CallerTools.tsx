import { Stack, Switch, Text } from '@chakra-ui/react'

interface Props {
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Lets programs bring tools along, which the last model of the flow may call. */
export function CallerTools({ checked, onChange }: Props) {
  return (
    <Stack gap="3">
      <Switch.Root checked={checked} onCheckedChange={(change) => onChange(change.checked)}>
        <Switch.HiddenInput aria-describedby="caller-tools" />
        <Switch.Control />
        <Switch.Label>Let callers bring their own tools</Switch.Label>
      </Switch.Root>
      <Text id="caller-tools" color="fg.muted" textStyle="sm">
        OpenAI clients can send tools with a question. The agent or the LLM node at the end of the flow may call them,
        and the caller runs them.
      </Text>
    </Stack>
  )
}
