import { Stack, Switch, Text } from '@chakra-ui/react'
import type { Chatflow } from '#contract/chatflows.ts'
import { withFullTrace } from '#contract/flow-settings.ts'
import { showsFullTrace } from '#contract/outline.ts'
import { api } from '../../api/client.ts'
import { type Draft, followSettings } from '../../builder/draft.ts'
import { notify } from '../../state/notify.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { noErrors } from '../../ui/form-errors.ts'
import { useForm } from '../../ui/use-form.ts'

/** Whether callers that are nobody see an outline of each run or its whole trace. */
export default function CallersDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const form = useForm({
    initial: { isWhole: showsFullTrace(draft.state.apiConfig) },
    check: () => noErrors,
    send: async ({ isWhole }) => {
      await save(draft, isWhole)
      notify.success('Saved what callers see')
      onClose()
    },
  })
  const { isWhole } = form.values
  return (
    <FormDialog
      title="What callers see"
      submit="Save"
      size="md"
      busy={form.busy}
      dirty={form.dirty}
      summary={form.errors.summary}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Text>
        Callers without an account or an API key of this workspace get the answer, and with it an account of the run. So
        do webhooks, and people with the link to a shared run.
      </Text>
      <Switch.Root checked={isWhole} onCheckedChange={({ checked }) => form.set({ isWhole: checked })}>
        <Switch.HiddenInput aria-describedby="what-callers-see" />
        <Switch.Control />
        <Switch.Label>Show them whole traces</Switch.Label>
      </Switch.Root>
      <Stack id="what-callers-see" gap="2" color="fg.muted" fontSize="sm">
        {isWhole ? (
          <>
            <Text>
              They see everything that the steps read and wrote: prompts, code, requests with their addresses and
              answers, flow state and token usage.
            </Text>
            <Text>Switch this on only if anybody may read all of that.</Text>
          </>
        ) : (
          <Text>
            They see which steps there were, how each ended, what each said, and the names of the tools used. Prompts,
            code, requests, flow state and token usage stay hidden.
          </Text>
        )}
        <Text>It counts as soon as it is saved, without publishing, and for shared runs of the past too.</Text>
      </Stack>
    </FormDialog>
  )
}

async function save(draft: Draft, isWhole: boolean): Promise<void> {
  const { id, version, apiConfig } = draft.state
  const change = { version, apiConfig: withFullTrace(apiConfig, isWhole) }
  followSettings(draft, await api.put<Chatflow>(`/chatflows/${id}`, change))
}
