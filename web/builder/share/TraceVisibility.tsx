import { Stack, Switch, Text } from '@chakra-ui/react'

interface Props {
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Chooses whether callers without an account or key get an outline of each run or its full trace. */
export function TraceVisibility({ checked, onChange }: Props) {
  return (
    <Stack gap="3">
      <Switch.Root checked={checked} onCheckedChange={(change) => onChange(change.checked)}>
        <Switch.HiddenInput aria-describedby="trace-visibility" />
        <Switch.Control />
        <Switch.Label>Share full traces</Switch.Label>
      </Switch.Root>
      <Stack id="trace-visibility" gap="2" color="fg.muted" textStyle="sm">
        {checked ? (
          <Text>
            Callers without an account or API key of this workspace see all inputs and outputs of the steps: prompts,
            code, requests with URLs and responses, flow state and token usage.
          </Text>
        ) : (
          <Text>
            Callers without an account or API key of this workspace see the steps with their status and answers, and the
            names of the tools used. Prompts, code, requests, flow state and token usage stay hidden.
          </Text>
        )}
        <Text>The same applies to webhooks and to anyone with the link to a shared run, also of earlier runs.</Text>
      </Stack>
    </Stack>
  )
}
