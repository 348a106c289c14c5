import { Box, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { OverridableInput } from '#contract/chatflows/chatflows.ts'
import { api, apiBase } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { notify } from '../../state/notify.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { saveSettings } from '../draft.ts'
import { type Publishable, publishDraft } from '../publishing.ts'
import { CallerTools } from './CallerTools.tsx'
import { CallLimit } from './CallLimit.tsx'
import { CallSize } from './CallSize.tsx'
import { ChatPageSettings } from './ChatPageSettings.tsx'
import { CodeSamples } from './CodeSamples.tsx'
import { ConversationSecret } from './ConversationSecret.tsx'
import { flowiseTheme } from './chat-values.ts'
import { EmbedSnippets } from './EmbedSnippets.tsx'
import { McpServer } from './McpServer.tsx'
import { OpenAiSamples } from './OpenAiSamples.tsx'
import { OverrideFields } from './OverrideFields.tsx'
import { Speech } from './Speech.tsx'
import { buildShareSettings, readShareValues, shareProblems } from './settings.ts'
import { TraceVisibility } from './TraceVisibility.tsx'
import { WhoMayCall } from './WhoMayCall.tsx'

interface Props {
  publishing: Publishable
  /** Asks who may call the flow before it is published for the first time. */
  publishes?: boolean
  onClose: () => void
}

/** Settings for callers of a flow: address and code, limits, overrides, and what anonymous callers see. */
export default function ShareDialog({ publishing, publishes = false, onClose }: Props) {
  const { draft, noun, store } = publishing
  const { id, publishedVersion } = useSnapshot(draft.state)
  const [asksFirst, setAsksFirst] = useState(publishes)
  const { data: inputs = [] } = useQuery({ ...inputsQuery(id ?? ''), enabled: id !== null && !asksFirst })
  const form = useForm({
    initial: readShareValues(draft.state),
    check: (values) => fieldErrors(shareProblems(values)),
    send: async (values) => {
      if (asksFirst && !(await store())) return
      if (form.dirty) await saveSettings(draft, buildShareSettings(values, draft.state, inputs))
      if (asksFirst) {
        await publishDraft(draft)
        form.set(readShareValues(draft.state))
        setAsksFirst(false)
        return
      }
      notify.success('Sharing saved')
      onClose()
    },
  })
  const { values, errors, set } = form
  const who = <WhoMayCall values={values} errors={errors.fields} onChange={set} />
  if (asksFirst || id === null) {
    return (
      <FormDialog title={`Publish this ${noun}?`} submit="Publish" size="md" form={form} onClose={onClose}>
        <Text>
          Callers will get this version until you publish again. Until now they got every save. The chat here always
          runs the draft.
        </Text>
        {who}
      </FormDialog>
    )
  }
  const url = `${apiBase()}/api/v1/prediction/${id}`
  return (
    <FormDialog title="Share" submit="Save" size="lg" form={form} onClose={onClose}>
      {publishes && (
        <Notice kind="success" role="status">
          Published version {publishedVersion}
        </Notice>
      )}
      <Box>
        <Text textStyle="sm" fontWeight="medium" mb="1.5">
          Address
        </Text>
        <CopyField label="Address" value={url} />
      </Box>
      {who}
      <CodeSamples flow={{ id, name: draft.state.name, start: publishing.start() }} url={url} values={values} />
      {values.callers !== 'members' && <OpenAiSamples flowId={id} />}
      <Stack gap="5" borderTopWidth="1px" pt="5">
        <ChatPageSettings
          flowId={id}
          isOpen={values.callers === 'everyone'}
          chat={values.chat}
          errors={errors.fields}
          onChange={(chat) => set({ chat })}
        />
        <EmbedSnippets
          flowId={id}
          isOpen={['sites', 'everyone'].includes(values.callers)}
          theme={flowiseTheme(draft.state, values.chat)}
        />
      </Stack>
      <Stack gap="5" borderTopWidth="1px" pt="5">
        <McpServer flowId={id} />
        {['sites', 'everyone'].includes(values.callers) && <ConversationSecret flowId={id} />}
        <CallLimit limit={values.limit} errors={errors.fields} onChange={(limit) => set({ limit })} />
        <CallSize size={values.size} errors={errors.fields} onChange={(size) => set({ size })} />
        <OverrideFields overrides={values.overrides} inputs={inputs} onChange={(overrides) => set({ overrides })} />
        <CallerTools checked={values.callerTools} onChange={(callerTools) => set({ callerTools })} />
        <Speech speech={values.speech} onChange={(speech) => set({ speech })} />
        <TraceVisibility checked={values.fullTrace} onChange={(fullTrace) => set({ fullTrace })} />
      </Stack>
    </FormDialog>
  )
}

/** The inputs of the stored draft. */
const inputsQuery = (id: string) => ({
  queryKey: keys.one('flow-config', id),
  queryFn: () => api.get<OverridableInput[]>(`/flow-config/${id}`),
})
