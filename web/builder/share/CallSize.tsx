import { Input, Stack, Switch, Text } from '@chakra-ui/react'
import { ANONYMOUS_CHARACTERS } from '#contract/chatflows/flow-settings.ts'
import { Field } from '../../ui/forms/Form.tsx'
import type { ShareValues } from './settings.ts'

interface Props {
  size: ShareValues['size']
  errors: Readonly<Record<string, string>>
  onChange: (size: ShareValues['size']) => void
}

/** Chooses how many characters callers without a key may send at once. */
export function CallSize({ size, errors, onChange }: Props) {
  return (
    <Stack gap="3">
      <Switch.Root checked={size.on} onCheckedChange={({ checked }) => onChange({ ...size, on: checked })}>
        <Switch.HiddenInput aria-describedby="call-size" />
        <Switch.Control />
        <Switch.Label>Set how long a call may be</Switch.Label>
      </Switch.Root>
      <Text id="call-size" color="fg.muted" textStyle="sm">
        {size.on
          ? 'For callers without an API key. A longer call is refused.'
          : `Callers without an API key may send ${ANONYMOUS_CHARACTERS.toLocaleString('en')} characters at once: the question, the form and the history together.`}
      </Text>
      {size.on && (
        <Field label="Characters" error={errors.characters}>
          <Input
            inputMode="numeric"
            value={size.characters}
            onChange={(event) => onChange({ ...size, characters: event.target.value })}
          />
        </Field>
      )}
    </Stack>
  )
}
