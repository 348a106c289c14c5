import { Box, chakra, NativeSelect, Stack, Text, Textarea } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Callers } from '#contract/access/callers.ts'
import type { ApiKey } from '#contract/apikeys/apikeys.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import type { ShareValues } from './settings.ts'

const CHOICES: readonly { callers: Callers; label: string; help: string }[] = [
  { callers: 'members', label: 'Members only', help: 'Signed-in members of this workspace, in Heddle.' },
  { callers: 'keys', label: 'API keys', help: 'Members, and programs with an API key of this workspace.' },
  {
    callers: 'sites',
    label: 'Certain sites',
    help: 'Also from websites you list, no key needed. Stops other websites, not programs.',
  },
  { callers: 'everyone', label: 'Everyone', help: 'Anyone with the address, without a key. You pay for each call.' },
]

interface Props {
  values: ShareValues
  errors: Readonly<Record<string, string>>
  onChange: (change: Partial<ShareValues>) => void
}

/** Chooses who may call the flow, with the key or the sites of that choice. */
export function WhoMayCall({ values, errors, onChange }: Props) {
  const { callers, sites } = values
  const hasSites = callers === 'sites' || (callers !== 'members' && sites.trim() !== '')
  return (
    <chakra.fieldset minW="0">
      <chakra.legend fontWeight="semibold" mb="2">
        Who can call this flow
      </chakra.legend>
      <Stack gap="2">
        {CHOICES.map((choice) => (
          <Choice
            key={choice.callers}
            {...choice}
            checked={choice.callers === callers}
            onChoose={() => onChange({ callers: choice.callers })}
          />
        ))}
      </Stack>
      {callers === 'keys' && <KeyField values={values} onChange={onChange} />}
      {hasSites && (
        <Box mt="3">
          <Field
            label="Sites"
            help={
              callers === 'sites'
                ? 'One per line, with https:// and the port if there is one. Programs can pretend to be a page: set a call limit too.'
                : 'One per line, with https:// and the port if there is one. Pages of other sites are refused, programs are not. Leave empty to allow all.'
            }
            error={errors.sites}
          >
            <Textarea
              rows={2}
              maxLength={10_000}
              placeholder="https://example.com"
              value={sites}
              onChange={(event) => onChange({ sites: event.target.value })}
            />
          </Field>
        </Box>
      )}
      {callers === 'everyone' && (
        <Notice kind="warning" mt="3">
          Anyone with the address can run this flow with your credentials. Set a call limit below.
        </Notice>
      )}
    </chakra.fieldset>
  )
}

interface ChoiceProps {
  label: string
  help: string
  checked: boolean
  onChoose: () => void
}

function Choice({ label, help, checked, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <chakra.label
      display="flex"
      gap="3"
      alignItems="start"
      cursor="pointer"
      borderWidth="1px"
      borderRadius="l2"
      borderColor={checked ? 'accent.solid' : 'border'}
      bg={checked ? 'accent.subtle' : undefined}
      px="3"
      py="2"
      _focusWithin={{ outlineWidth: '2px', outlineStyle: 'solid', outlineColor: 'accent.focusRing' }}
    >
      <chakra.input
        type="radio"
        name="callers"
        mt="1"
        boxSize="4"
        flex="none"
        accentColor="accent.solid"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-help`}
        checked={checked}
        onChange={onChoose}
      />
      <Box minW="0">
        <Text id={`${id}-label`} textStyle="sm" fontWeight="medium">
          {label}
        </Text>
        <Text id={`${id}-help`} textStyle="sm" color="fg.muted">
          {help}
        </Text>
      </Box>
    </chakra.label>
  )
}

function KeyField({ values: { apikeyid }, onChange }: Pick<Props, 'values' | 'onChange'>) {
  const mayList = useCan()('apikeys:view')
  const { data = [] } = useQuery({ ...apiKeysQuery, enabled: mayList })
  if (!mayList && apikeyid === '') return null
  const isKnown = apikeyid === '' || data.some(({ id }) => id === apikeyid)
  return (
    <Box mt="3">
      <Field label="Key" help="If you pick a key, all other keys are rejected.">
        <NativeSelect.Root size="sm">
          <NativeSelect.Field value={apikeyid} onChange={(event) => onChange({ apikeyid: event.target.value })}>
            <option value="">Any key with permission to run flows</option>
            {!isKnown && <option value={apikeyid}>A key that you can’t see</option>}
            {data.map(({ id, keyName, keyHint }) => (
              <option key={id} value={id}>
                {`Only ${keyName} (…${keyHint})`}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
    </Box>
  )
}

const apiKeysQuery = {
  queryKey: keys.list('apikey'),
  queryFn: () => api.get<ApiKey[]>('/apikey'),
}
