import { NativeSelect, Skeleton, Text } from '@chakra-ui/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { TraceItem } from '#contract/runs/events.ts'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { useCan } from '../../api/use-can.ts'
import { ReplayInputs } from '../../chat/ReplayInputs.tsx'
import { editedInputs, readInputs } from '../../chat/replay-inputs.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { startReplay, stepInputsQuery } from './replay.ts'

interface ReplayDialogProps {
  execution: ExecutionDetail
  item: TraceItem
  path: string
  onClose: () => void
}

/** Replays a run from a step, with a choice of version and inputs, and opens the new execution. */
export default function ReplayDialog({ execution, item, path, onClose }: ReplayDialogProps) {
  const navigate = useNavigate()
  const can = useCan()
  const canViewFlow = can('agentflows:view')
  const [draft, setDraft] = useState(false)
  const [text, setText] = useState<string>()
  const inputs = useQuery({ ...stepInputsQuery(execution, item, draft), enabled: canViewFlow })
  const before = inputs.data?.inputs
  const read = text === undefined ? undefined : readInputs(text)
  const problem = read && 'problem' in read ? read.problem : undefined
  const isMissing = inputs.data !== undefined && before === undefined

  const replay = useMutation({
    mutationFn: () => startReplay(execution.id, { path, draft, inputs: editedInputs(before, text) }),
    onSuccess: (id) => {
      onClose()
      return navigate({ to: '/executions/$id', params: { id }, search: { step: path } })
    },
  })
  return (
    <FormDialog
      title={`Replay from ${item.nodeLabel}`}
      submit="Replay"
      size="lg"
      form={{
        busy: replay.isPending,
        dirty: text !== undefined && editedInputs(before, text) !== undefined,
        errors: { summary: replay.error?.message },
        submit: () => !problem && !isMissing && replay.mutate(),
      }}
      onClose={onClose}
    >
      <Text color="fg.muted">
        Starts a new run from this step. Earlier steps are reused at no cost. The original run is kept.
      </Text>
      <Field label="Flow version">
        <NativeSelect.Root>
          <NativeSelect.Field
            value={draft ? 'draft' : 'same'}
            onChange={(event) => {
              setDraft(event.target.value === 'draft')
              setText(undefined)
            }}
          >
            <option value="same">Same version (v{execution.flowVersion})</option>
            {canViewFlow && <option value="draft">Current draft</option>}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
      {canViewFlow && inputs.isPending && <Skeleton h="52" aria-label="Loading inputs" />}
      {inputs.error && (
        <Text color="fg.muted">Couldn’t load the inputs: {inputs.error.message}. The original inputs are used.</Text>
      )}
      {isMissing && <Text color="fg.error">This step isn’t in the current draft. Choose the same version.</Text>}
      {before && can('agentflows:update') && <ReplayInputs before={before} text={text} onChange={setText} />}
    </FormDialog>
  )
}
