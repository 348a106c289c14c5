import { Input, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Chatflow } from '#contract/chatflows.ts'
import { noLimits, type RunLimits, runLimitsSchema } from '#contract/limits.ts'
import { api } from '#web/api/client.ts'
import { useCan } from '#web/api/use-can.ts'
import { Field } from '#web/ui/Form.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { type FormErrors, fieldErrors } from '#web/ui/form-errors.ts'
import { notify } from '#web/ui/notify.ts'
import { useForm } from '#web/ui/use-form.ts'
import { type Draft, followSettings } from './AgentCanvasDraft.ts'

type Texts = Record<keyof RunLimits, string>

const FIELDS: { name: keyof RunLimits; label: string; unit: string; help: string }[] = [
  { name: 'maxTokens', label: 'Tokens', unit: 'tokens', help: 'Of all model calls together, in and out.' },
  { name: 'maxCost', label: 'Cost in US dollars', unit: 'dollars', help: 'Of model calls whose price is known.' },
  { name: 'maxSteps', label: 'Steps', unit: 'steps', help: 'Each round of a loop and each item counts anew.' },
  {
    name: 'maxSeconds',
    label: 'Seconds',
    unit: 'seconds',
    help: 'Without the time in which the run waits for a person.',
  },
]

/** What one run of this flow may use; a run that reaches a limit ends and says so. */
export default function LimitsDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const maySeeWorkspace = useCan()('workspace:view')
  const workspace = useQuery({
    queryKey: ['workspace', 'run-limits'],
    queryFn: () => api.get<RunLimits>('/workspace/run-limits'),
    enabled: maySeeWorkspace,
  })
  const form = useForm({
    initial: textsOf(draft.state.runLimits ?? noLimits),
    check: wrongLimits,
    send: async (texts) => {
      const { id, version } = draft.state
      followSettings(draft, await api.put<Chatflow>(`/chatflows/${id}`, { version, runLimits: limitsOf(texts) }))
      notify.success('Saved the limits')
      onClose()
    },
  })
  return (
    <FormDialog
      title="Limits of a run"
      submit="Save the limits"
      busy={form.busy}
      dirty={form.dirty}
      summary={form.errors.summary}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Text color="fg.muted">
        A run that reaches one of these ends and says which. Leave a field empty for no limit of this flow’s own.
      </Text>
      {FIELDS.map(({ name, label, unit, help }) => {
        const lower = lowerOfWorkspace(workspace.data?.[name] ?? null, form.values[name])
        return (
          <Field
            key={name}
            label={label}
            error={form.errors.fields[name]}
            help={lower === null ? help : `The workspace allows ${lower.toLocaleString()} ${unit}: that counts.`}
          >
            <Input
              inputMode="decimal"
              placeholder="No limit"
              value={form.values[name]}
              onChange={(event) => form.set({ [name]: event.target.value })}
            />
          </Field>
        )
      })}
    </FormDialog>
  )
}

const textsOf = (limits: RunLimits): Texts =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, limits[name] === null ? '' : String(limits[name])])) as Texts

const limitsOf = (texts: Texts): RunLimits =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, texts[name].trim() === '' ? null : Number(texts[name])])) as never

function wrongLimits(texts: Texts): FormErrors {
  const issues = runLimitsSchema.safeParse(limitsOf(texts)).error?.issues ?? []
  const wrong = new Set(issues.map((issue) => issue.path[0]))
  return fieldErrors(
    Object.fromEntries(
      FIELDS.map(({ name, label }) => [
        name,
        wrong.has(name) && `${label}: enter a ${name === 'maxSteps' ? 'whole ' : ''}number above 0, or nothing.`,
      ]),
    ),
  )
}

/** The workspace's limit where it is the one that counts; null where it is not. */
function lowerOfWorkspace(workspace: number | null, text: string): number | null {
  if (workspace === null) return null
  return text.trim() === '' || Number(text) > workspace ? workspace : null
}
