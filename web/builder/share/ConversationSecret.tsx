import { Box, Button, Flex, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConversationSecret as HasSecret, NewConversationSecret } from '#contract/chatflows/conversation-secret.ts'
import { errorMessage } from '#contract/errors.ts'
import { SIGNATURE_SAMPLES, type SignatureLanguage } from '#contract/predictions/signature-samples.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { notify } from '../../state/notify.ts'
import { CopyBlock, CopyField } from '../../ui/CopyField.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { RetryNotice } from '../../ui/feedback/RetryNotice.tsx'
import { LanguageChoice } from './LanguageChoice.tsx'

const LANGUAGES = Object.keys(SIGNATURE_SAMPLES) as SignatureLanguage[]

/** The secret by which the owner's server signs sessions of callers without a key. A new one is stored at once. */
export function ConversationSecret({ flowId }: { flowId: string }) {
  const queryKey = keys.one('conversation-secret', flowId)
  const client = useQueryClient()
  const [secret, setSecret] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [language, setLanguage] = useState<SignatureLanguage>('Node.js')
  const path = `/chatflows/${flowId}/conversation-secret`
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => api.get<HasSecret>(path) })
  const create = async () => {
    setBusy(true)
    try {
      setSecret((await api.post<NewConversationSecret>(path)).secret)
      client.setQueryData<HasSecret>(queryKey, { exists: true })
    } catch (failure) {
      notify.error(`Couldn’t create a secret: ${errorMessage(failure)}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack as="section" gap="3" aria-label="Signed sessions">
      <Box>
        <Text fontWeight="semibold">Signed sessions</Text>
        <Text textStyle="sm" color="fg.muted">
          Without an API key, a sessionId opens no conversation: others could guess it. Let your server sign it with
          this flow’s conversation secret, and send both in overrideConfig.
        </Text>
      </Box>
      {error && <RetryNotice error={error} onRetry={refetch} />}
      {secret && (
        <>
          <Notice kind="success">Copy the secret now: it isn’t shown again.</Notice>
          <CopyField label="Conversation secret" value={secret} />
        </>
      )}
      {data?.exists && !secret && (
        <Text textStyle="sm" color="fg.muted">
          The secret was shown when it was made. A new one replaces it: signatures by the old one are refused.
        </Text>
      )}
      {data && (
        <Flex>
          <Button size="sm" variant="outline" loading={busy} onClick={() => void create()}>
            {data.exists ? 'Replace conversation secret' : 'Create conversation secret'}
          </Button>
        </Flex>
      )}
      {data?.exists && (
        <>
          <LanguageChoice
            label="Language of the signature"
            languages={LANGUAGES}
            chosen={language}
            onChoose={setLanguage}
          />
          <CopyBlock label={`${language} signature`} value={SIGNATURE_SAMPLES[language]} />
        </>
      )}
    </Stack>
  )
}
