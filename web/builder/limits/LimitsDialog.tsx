import { Box, Button, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { noLimits, type RunLimits } from '#contract/runs/limits.ts'
import { api } from '../../api/client.ts'
import { keys, queryClient } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { notify } from '../../state/notify.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { type Draft, saveSettings } from '../draft.ts'
import { LimitFields } from './LimitFields.tsx'
import { countingLimit, type LimitTexts, limitsOf, textsOf, wrongLimits } from './limit-texts.ts'

const WORKSPACE = '/workspace/run-limits'
const WORKSPACE_KEY = keys.one('workspace', 'run-limits')

interface Values {
  flow: LimitTexts
  /** Null until a person changed something. */
  workspace: LimitTexts | null
}

/** Limits for each run of this flow, and of every flow of the workspace. */
export default function LimitsDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const can = useCan()
  const maySeeWorkspace = can('workspace:view')
  const stored = useQuery({
    queryKey: WORKSPACE_KEY,
    queryFn: () => api.get<RunLimits>(WORKSPACE),
    enabled: maySeeWorkspace,
  })
  const initial: Values = { flow: textsOf(draft.state.runLimits ?? noLimits), workspace: null }
  const form = useForm({
    initial,
    check: ({ flow, workspace }) =>
      fieldErrors({ ...wrongLimits(flow, 'flow'), ...(workspace && wrongLimits(workspace, 'workspace')) }),
    send: async ({ flow, workspace }) => {
      if (JSON.stringify(flow) !== JSON.stringify(initial.flow))
        await saveSettings(draft, { runLimits: limitsOf(flow) })
      if (workspace) await saveWorkspaceLimits(limitsOf(workspace))
      notify.success('Limits saved')
      onClose()
    },
  })
  const { flow } = form.values
  const workspace = form.values.workspace ?? (stored.data && textsOf(stored.data))
  const helpOf = (name: keyof RunLimits, unit: string) => {
    const limit = workspace ? countingLimit(workspace[name], flow[name]) : null
    return limit === null ? undefined : `The workspace limit of ${limit.toLocaleString()} ${unit} applies.`
  }
  return (
    <FormDialog title="Run limits" submit="Save limits" size="md" form={form} onClose={onClose}>
      <LimitFields
        title="This flow"
        about="A run that reaches a limit ends with an error. Leave empty for no limit."
        values={flow}
        errors={form.errors.fields}
        prefix="flow"
        helpOf={helpOf}
        onChange={(change) => form.set({ flow: { ...flow, ...change } })}
      />
      {maySeeWorkspace && <Box borderTopWidth="1px" />}
      {maySeeWorkspace && !workspace && stored.isPending && (
        <Skeleton h="52" aria-label="Loading the workspace’s limits" />
      )}
      {stored.error && !workspace && (
        <Text color="fg.error">
          Couldn’t load the workspace’s limits: {stored.error.message}{' '}
          <Button size="xs" variant="outline" onClick={() => void stored.refetch()}>
            Try again
          </Button>
        </Text>
      )}
      {workspace && (
        <LimitFields
          title="All flows of this workspace"
          about={
            can('workspace:update')
              ? 'The lower of the flow’s and the workspace’s limit applies.'
              : 'The lower of the flow’s and the workspace’s limit applies. Ask a workspace admin to change it.'
          }
          values={workspace}
          errors={form.errors.fields}
          prefix="workspace"
          readOnly={!can('workspace:update')}
          onChange={(change) => form.set({ workspace: { ...workspace, ...change } })}
        />
      )}
    </FormDialog>
  )
}

async function saveWorkspaceLimits(limits: RunLimits): Promise<void> {
  queryClient.setQueryData(WORKSPACE_KEY, await api.put<RunLimits>(WORKSPACE, limits))
}
