import { chakra, Field, Input, NativeSelect, Stack, Switch, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Voice } from '#contract/speech/speech.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { CredentialInput } from '../../inputs/credential/CredentialInput.tsx'
import { type ProviderChoice, type SpeechValues, withSettings } from './speech-settings.ts'

interface Provider {
  name: string
  label: string
  credential: string
}

const HEARING: readonly Provider[] = [
  { name: 'openAIWhisper', label: 'OpenAI Whisper', credential: 'openAIApi' },
  { name: 'assemblyAiTranscribe', label: 'AssemblyAI', credential: 'assemblyAIApi' },
  { name: 'localAISTT', label: 'LocalAI', credential: 'localAIApi' },
  { name: 'azureCognitive', label: 'Azure Cognitive Services', credential: 'azureCognitiveServices' },
  { name: 'groqWhisper', label: 'Groq Whisper', credential: 'groqApi' },
]

const SPEAKING: readonly Provider[] = [
  { name: 'openai', label: 'OpenAI', credential: 'openAIApi' },
  { name: 'elevenlabs', label: 'ElevenLabs', credential: 'elevenLabsApi' },
]

interface Props {
  speech: SpeechValues
  onChange: (speech: SpeechValues) => void
}

/** Settings of the speech providers: speech to text, and text to speech. */
export function Speech({ speech, onChange }: Props) {
  const { hearing, speaking } = speech
  return (
    <Stack gap="4">
      <Text fontWeight="medium">Speech</Text>
      <ProviderFields
        label="Speech to text"
        help="Voice recordings become questions."
        providers={HEARING}
        choice={hearing}
        onChange={(next) => onChange({ ...speech, hearing: next })}
      />
      {hearing.provider !== '' && (
        <HearingFields choice={hearing} onChange={(next) => onChange({ ...speech, hearing: next })} />
      )}
      <ProviderFields
        label="Text to speech"
        help="People can listen to answers. Each one played is billed to the credential."
        providers={SPEAKING}
        choice={speaking}
        onChange={(next) => onChange({ ...speech, speaking: next })}
      />
      {speaking.provider !== '' && (
        <SpeakingFields choice={speaking} onChange={(next) => onChange({ ...speech, speaking: next })} />
      )}
    </Stack>
  )
}

interface ChoiceProps {
  choice: ProviderChoice
  onChange: (choice: ProviderChoice) => void
}

interface ProviderFieldsProps extends ChoiceProps {
  label: string
  help: string
  providers: readonly Provider[]
}

function ProviderFields({ label, help, providers, choice, onChange }: ProviderFieldsProps) {
  const id = useId()
  const provider = providers.find(({ name }) => name === choice.provider)
  return (
    <>
      <Field.Root>
        <Field.Label>{label}</Field.Label>
        <NativeSelect.Root size="sm">
          <NativeSelect.Field
            value={choice.provider}
            onChange={(event) => onChange({ ...choice, provider: event.target.value })}
          >
            <option value="">Off</option>
            {providers.map(({ name, label: text }) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
        <Field.HelperText>{help}</Field.HelperText>
      </Field.Root>
      {provider && (
        <Stack gap="1.5">
          <chakra.label htmlFor={id} textStyle="sm" fontWeight="medium">
            Credential for {label.toLowerCase()}
          </chakra.label>
          <CredentialInput
            id={id}
            param={{
              label: 'Credential',
              name: 'credential',
              type: 'credential',
              credentialNames: [provider.credential],
            }}
            value={choice.settings[provider.name]?.credentialId ?? ''}
            onChange={(credentialId) => onChange(withSettings(choice, { credentialId }))}
          />
        </Stack>
      )}
    </>
  )
}

const valueIn = ({ provider, settings }: ProviderChoice, name: string) => String(settings[provider]?.[name] ?? '')

function HearingFields({ choice, onChange }: ChoiceProps) {
  const text = (name: string, label: string, placeholder: string) => (
    <Field.Root>
      <Field.Label>{label}</Field.Label>
      <Input
        size="sm"
        placeholder={placeholder}
        value={valueIn(choice, name)}
        onChange={(event) => onChange(withSettings(choice, { [name]: event.target.value }))}
      />
    </Field.Root>
  )
  if (choice.provider === 'assemblyAiTranscribe') return null
  return (
    <>
      {choice.provider === 'localAISTT' && text('baseUrl', 'Base URL', 'https://localai.example.com/v1')}
      {text('language', 'Language', choice.provider === 'azureCognitive' ? 'en-US' : 'en')}
    </>
  )
}

function SpeakingFields({ choice, onChange }: ChoiceProps) {
  const { provider, settings } = choice
  const credentialId = valueIn(choice, 'credentialId')
  const { data: voices = [], error } = useQuery({
    ...voicesQuery(provider, credentialId),
    enabled: provider === 'openai' || credentialId !== '',
  })
  const voice = valueIn(choice, 'voice')
  const isKnown = voices.some(({ id }) => id === voice)
  return (
    <>
      <Field.Root>
        <Field.Label>Voice</Field.Label>
        <NativeSelect.Root size="sm">
          <NativeSelect.Field
            value={voice}
            onChange={(event) => onChange(withSettings(choice, { voice: event.target.value }))}
          >
            <option value="">The provider’s default</option>
            {voice !== '' && !isKnown && <option value={voice}>{voice}</option>}
            {voices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
        {error && <Field.HelperText>{error.message}</Field.HelperText>}
      </Field.Root>
      <Switch.Root
        checked={settings[provider]?.autoPlay === true}
        onCheckedChange={({ checked }) => onChange(withSettings(choice, { autoPlay: checked }))}
      >
        <Switch.HiddenInput />
        <Switch.Control />
        <Switch.Label>Speak answers as they come</Switch.Label>
      </Switch.Root>
    </>
  )
}

const voicesQuery = (provider: string, credentialId: string) => ({
  queryKey: keys.list('voices', { provider, credentialId }),
  queryFn: () =>
    api.get<Voice[]>(
      '/text-to-speech/voices',
      { provider, credentialId: credentialId || undefined },
      { background: true },
    ),
  retry: false,
})
