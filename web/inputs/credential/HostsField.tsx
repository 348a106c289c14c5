import { Button, Stack, Text, Textarea } from '@chakra-ui/react'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { Choice } from '../../ui/forms/fields.tsx'
import type { Hosts } from './credential-form.ts'

interface Props {
  /** Those of its type and its addresses, which always get it. */
  given: string[]
  value: Hosts
  error: string | undefined
  autoFocus: boolean
  onChange(value: Hosts): void
}

const CHOICES = [
  ['only', 'Only these hosts'],
  ['any', 'Any host'],
] as const
const UNCHOSEN = ['', 'Choose…'] as const

const WHY = 'This type is for any service, so only you know where its secret belongs.'

/** Edits the hosts to which the secret may be sent. */
export function HostsField({ given, value, error, autoFocus, onChange }: Props) {
  const named = new Intl.ListFormat('en', { type: 'conjunction' }).format(given)
  const isChosen = value !== undefined
  const always = typeof value === 'string' && given.length > 0 && `Always: ${named}.`
  return (
    <Stack gap="3">
      <Choice
        label="The secret may be sent to"
        help={isChosen ? always : WHY}
        {...(!isChosen && error && { error })}
        value={isChosen ? (value === null ? 'any' : 'only') : ''}
        options={isChosen ? CHOICES : [UNCHOSEN, ...CHOICES]}
        autoFocus={autoFocus}
        onChange={(choice) => onChange(choice === 'any' ? null : '')}
      />
      {value === null && (
        <Notice kind="warning">
          <Text>Whoever may edit or import flows can have it sent to a host of their own.</Text>
          {given.length > 0 && (
            <Button size="sm" variant="outline" mt="2" h="auto" py="1" whiteSpace="normal" onClick={() => onChange('')}>
              Limit to {named}
            </Button>
          )}
        </Notice>
      )}
      {typeof value === 'string' && (
        <Field
          label={given.length > 0 ? 'More hosts (optional)' : 'Hosts'}
          help="One per line: api.example.com, or *.example.com for all below it. A run that would send it elsewhere fails and names the host."
          {...(error && { error })}
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
