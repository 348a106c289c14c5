import { Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { apiBase } from '../../api/client.ts'
import { CopyBlock } from '../../ui/CopyField.tsx'
import { LanguageChoice } from './LanguageChoice.tsx'
import { OPENAI_LANGUAGES, type OpenAiLanguage, openAiSampleOf } from './openai-samples.ts'
import { KEY_PLACEHOLDER } from './samples.ts'

/** Programs that use the flow as a model, with the clients of OpenAI. */
export function OpenAiSamples({ flowId }: { flowId: string }) {
  const [language, setLanguage] = useState<OpenAiLanguage>('JavaScript')
  const sample = openAiSampleOf(language, { baseUrl: `${apiBase()}/v1`, model: flowId, apiKey: KEY_PLACEHOLDER })
  return (
    <Stack as="section" gap="3" aria-label="OpenAI clients">
      <Text fontWeight="semibold">OpenAI clients</Text>
      <Text textStyle="sm" color="fg.muted">
        Any program that talks to OpenAI can use this flow as a model. It always sends an API key of this workspace:
        replace {KEY_PLACEHOLDER}.
      </Text>
      <LanguageChoice
        label="Language of the OpenAI example"
        languages={OPENAI_LANGUAGES}
        chosen={language}
        onChoose={setLanguage}
        suffix=" with OpenAI"
      />
      <CopyBlock label={`${language} code for OpenAI`} value={sample} />
    </Stack>
  )
}
