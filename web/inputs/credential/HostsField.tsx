import { Button, Stack, Text, Textarea } from '@chakra-ui/react'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { Choice } from '../../ui/forms/fields.tsx'

interface Props {
  /** Those of its type and its addresses, which always get it. */
  given: string[]
  /** One per line; null: any host. */
  value: string | null
  error: string | undefined
  autoFocus: boolean
  onChange(value: string | null): void
}

const CHOICES = [
  ['only', 'Only these hosts'],
  ['any', 'Any host'],
] as const

/** Edits the hosts to which the secret may be sent. */
export function HostsField({ given, value, error, autoFocus, onChange }: Props) {
  const isAny = value === null
  const named = new Intl.ListFormat('en', { type: 'conjunction' }).format(given)
  return (
    <Stack gap="3">
      <Choice
        label="The secret may be sent to"
        help={!isAny && given.length > 0 && `Always: ${named}.`}
        value={isAny ? 'any' : 'only'}
        options={CHOICES}
        autoFocus={autoFocus}
        onChange={(choice) => onChange(choice === 'any' ? null : '')}
      />
      {isAny ? (
        <Notice kind="warning">
          <Text>Whoever may edit or import flows can have it sent to a host of their own.</Text>
          {given.length > 0 && (
            <Button size="sm" variant="outline" mt="2" h="auto" py="1" whiteSpace="normal" onClick={() => onChange('')}>
              Limit to {named}
            </Button>
          )}
        </Notice>
      ) : (
        <Field
          label={given.length > 0 ? 'More hosts (optional)' : 'Hosts'}
          help="One per line: api.example.com, or *.example.com for all below it. A run that would send it elsewhere fails and names the host."
          error={error}
        >
          <Textarea
            rows={2}
            maxLength={10_000}
            fontFamily="mono"
            placeholder="gateway.example.com"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
      )}
    </Stack>
  )
}
