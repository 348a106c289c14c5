import { Button, Flex, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import type { NewApiKey } from '#contract/apikeys/apikeys.ts'
import { errorMessage } from '#contract/errors.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { notify } from '../../state/notify.ts'
import { CopyBlock } from '../../ui/CopyField.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { LanguageChoice } from './LanguageChoice.tsx'
import { exampleBody, KEY_PLACEHOLDER, LANGUAGES, type Language, sampleOf } from './samples.ts'
import type { ShareValues } from './settings.ts'

interface Props {
  flow: { id: string; name: string; start: FlowNode | undefined }
  url: string
  values: ShareValues
}

/** Programs that call the flow, each with the key that it needs. */
export function CodeSamples({ flow, url, values: { callers, apikeyid } }: Props) {
  const [language, setLanguage] = useState<Language>('curl')
  const [created, setCreated] = useState<string>()
  // A page of an allowed site needs no key, another program does.
  const needsKey = callers === 'keys' || (callers === 'sites' && language !== 'JavaScript')
  const apiKey = created ?? KEY_PLACEHOLDER
  const sample = sampleOf(language, { url, body: exampleBody(flow.start), ...(needsKey && { apiKey }) })
  return (
    <Stack as="section" gap="3" aria-label="Code">
      <Text fontWeight="semibold">Code</Text>
      {callers === 'members' ? (
        <Text textStyle="sm" color="fg.muted">
          Programs can’t call this flow. Choose who can call it above.
        </Text>
      ) : (
        <>
          <LanguageChoice label="Language" languages={LANGUAGES} chosen={language} onChoose={setLanguage} />
          {needsKey && !created && <KeyHint flow={flow} isBound={apikeyid !== ''} onCreated={setCreated} />}
          {needsKey && created && (
            <Notice kind="success">The new key is in the code below. Copy it now: it isn’t shown again.</Notice>
          )}
          <CopyBlock label={`${language} code`} value={sample} />
        </>
      )}
    </Stack>
  )
}

interface KeyHintProps extends Pick<Props, 'flow'> {
  isBound: boolean
  onCreated: (apiKey: string) => void
}

function KeyHint({ flow, isBound, onCreated }: KeyHintProps) {
  const mayCreate = useCan()('apikeys:create') && !isBound
  const [busy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    try {
      onCreated(await createKey(flow))
    } catch (error) {
      notify.error(`Couldn’t create a key: ${errorMessage(error)}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Flex align="center" gap="3" wrap="wrap">
      <Text textStyle="sm" color="fg.muted">
        Replace {KEY_PLACEHOLDER} with {isBound ? 'the chosen key' : 'an API key'}
        {mayCreate ? ', or create one:' : '.'}
      </Text>
      {mayCreate && (
        <Button size="xs" variant="outline" loading={busy} onClick={() => void create()}>
          Create API key
        </Button>
      )}
    </Flex>
  )
}

const LONGEST_NAME = 100

/** Returns a key that may run this flow, and nothing else. */
async function createKey({ id, name }: Props['flow']): Promise<string> {
  const body = { keyName: name.slice(0, LONGEST_NAME), permissions: [], flowIds: [id] }
  const { apiKey } = await api.post<NewApiKey>('/apikey', body)
  await invalidate('apikey')
  return apiKey
}
