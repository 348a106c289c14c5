import { Input, SimpleGrid, Stack, Switch, Text } from '@chakra-ui/react'
import { useSettings } from '../../api/use-settings.ts'
import { Field } from '../../ui/forms/Form.tsx'
import type { ShareValues } from './settings.ts'

interface Props {
  limit: ShareValues['limit']
  errors: Readonly<Record<string, string>>
  onChange: (limit: ShareValues['limit']) => void
}

/** Limits the calls of each address. */
export function CallLimit({ limit, errors, onChange }: Props) {
  const { data: settings } = useSettings()
  const set = (change: Partial<ShareValues['limit']>) => onChange({ ...limit, ...change })
  return (
    <Stack gap="3">
      <Switch.Root checked={limit.on} onCheckedChange={({ checked }) => set({ on: checked })}>
        <Switch.HiddenInput aria-describedby={limit.on ? undefined : 'call-limit'} />
        <Switch.Control />
        <Switch.Label>Limit calls per caller</Switch.Label>
      </Switch.Root>
      {limit.on && (
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
          <Field label="Calls" help="Per IP address." error={errors.calls}>
            <Input inputMode="numeric" value={limit.calls} onChange={(event) => set({ calls: event.target.value })} />
          </Field>
          <Field label="Within (seconds)" error={errors.seconds}>
            <Input
              inputMode="numeric"
              value={limit.seconds}
              onChange={(event) => set({ seconds: event.target.value })}
            />
          </Field>
          <Field label="Message (optional)" help="Shown to callers over the limit.">
            <Input
              maxLength={500}
              placeholder="Too many requests"
              value={limit.message}
              onChange={(event) => set({ message: event.target.value })}
            />
          </Field>
        </SimpleGrid>
      )}
      {!limit.on && settings && (
        <Text id="call-limit" color="fg.muted" textStyle="sm">
          Callers without an API key may make {settings.anonymousCallsPerMinute} calls a minute from each IP address.
        </Text>
      )}
    </Stack>
  )
}
