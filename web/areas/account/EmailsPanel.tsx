import { Skeleton, Stack, Text } from '@chakra-ui/react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { EmailSettings } from '#contract/account/account.ts'
import { errorMessage } from '#contract/errors.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { useSettings } from '../../api/use-settings.ts'
import { notify } from '../../state/notify.ts'
import { RetryNotice } from '../../ui/feedback/RetryNotice.tsx'
import { Toggle } from '../../ui/forms/fields.tsx'

const emailSettingsQuery = queryOptions({
  queryKey: keys.area('email-settings'),
  queryFn: () => api.get<EmailSettings>('/email-settings'),
})

/** The emails that a person gets of the organization they are in. */
export default function EmailsPanel() {
  const { data: server, error, refetch } = useSettings()
  if (error) return <RetryNotice error={error} onRetry={refetch} />
  if (!server) return <Loading />
  if (!server.canSendEmail) return <Text color="fg.muted">This server does not send email.</Text>
  return (
    <Stack gap="3" maxW="md">
      <QuestionEmails />
    </Stack>
  )
}

const Loading = () => <Skeleton h="6" maxW="md" role="status" aria-label="Loading your emails" />

function QuestionEmails() {
  const { data: settings, error, refetch } = useQuery(emailSettingsQuery)
  const queries = useQueryClient()
  const choose = async (questions: boolean) => {
    const { queryKey } = emailSettingsQuery
    queries.setQueryData(queryKey, { questions })
    try {
      queries.setQueryData(queryKey, await api.put<EmailSettings>('/email-settings', { questions }))
    } catch (failure) {
      queries.setQueryData(queryKey, settings)
      notify.error(`Couldn’t save your emails: ${errorMessage(failure)}`)
    }
  }
  if (error) return <RetryNotice error={error} onRetry={refetch} />
  if (!settings) return <Loading />
  return (
    <>
      <Toggle
        label="Email me when a run waits for my answer"
        isOn={settings.questions}
        onChange={(questions) => void choose(questions)}
      />
      <Text textStyle="sm" color="fg.muted">
        For runs of this organization whose questions you may answer.
      </Text>
    </>
  )
}
