import { Input, SimpleGrid, Stack, Switch } from '@chakra-ui/react'
import { Field } from '../../ui/forms/Form.tsx'
import type { ShareValues } from './settings.ts'

interface Props {
  limit: ShareValues['limit']
  errors: Readonly<Record<string, string>>
  onChange: (limit: ShareValues['limit']) => void
}

/** Limits the calls of each address. */
export function CallLimit({ limit, errors, onChange }: Props) {
  const set = (change: Partial<ShareValues['limit']>) => onChange({ ...limit, ...change })
  return (
    <Stack gap="3">
      <Switch.Root checked={limit.on} onCheckedChange={({ checked }) => set({ on: checked })}>
        <Switch.HiddenInput />
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
    </Stack>
  )
}
