import { Stack, Switch, Text } from '@chakra-ui/react'
import { withFullTrace } from '#contract/flow-settings.ts'
import { showsFullTrace } from '#contract/runs/outline.ts'
import { notify } from '../state/notify.ts'
import { FormDialog } from '../ui/forms/FormDialog.tsx'
import { noErrors } from '../ui/forms/form-errors.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { type Draft, saveSettings } from './draft.ts'

/** Sets whether anonymous callers get an outline of each run or its full trace. */
export default function TraceVisibilityDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const form = useForm({
    initial: { fullTrace: showsFullTrace(draft.state.apiConfig) },
    check: () => noErrors,
    send: async ({ fullTrace }) => {
      await saveSettings(draft, { apiConfig: withFullTrace(draft.state.apiConfig, fullTrace) })
      notify.success('Trace visibility saved')
      onClose()
    },
  })
  const { fullTrace } = form.values
  return (
    <FormDialog title="Trace visibility" submit="Save" size="md" form={form} onClose={onClose}>
      <Text>
        Callers without an account or API key of this workspace get an outline of the run with the answer. The same
        applies to webhooks and to anyone with the link to a shared run.
      </Text>
      <Switch.Root checked={fullTrace} onCheckedChange={({ checked }) => form.set({ fullTrace: checked })}>
        <Switch.HiddenInput aria-describedby="trace-visibility" />
        <Switch.Control />
        <Switch.Label>Share full traces</Switch.Label>
      </Switch.Root>
      <Stack id="trace-visibility" gap="2" color="fg.muted" fontSize="sm">
        {fullTrace ? (
          <>
            <Text>
              They see all inputs and outputs of the steps: prompts, code, requests with URLs and responses, flow state
              and token usage.
            </Text>
            <Text>Turn this on only if anyone may read all of that.</Text>
          </>
        ) : (
          <Text>
            They see the steps with their status and answers, and the names of the tools used. Prompts, code, requests,
            flow state and token usage stay hidden.
          </Text>
        )}
        <Text>Applies as soon as you save, without publishing, and also to runs that are already shared.</Text>
      </Stack>
    </FormDialog>
  )
}
