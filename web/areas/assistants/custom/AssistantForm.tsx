import { Button, chakra, Stack, Text, Textarea } from '@chakra-ui/react'
import { IconWand } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { AGENT } from '#contract/flow/kinds/agentflow/nodes.ts'
import { MAX_STARTERS } from '#contract/flow/kinds/assistant/details.ts'
import { assistant } from '#contract/flow/kinds/assistant/kind.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { componentsByName } from '#contract/flow/params/params.ts'
import { PRACTICE_MODEL } from '#contract/flow/practice-model.ts'
import { variableSuggestions } from '#contract/flow/references/suggestions.ts'
import { api } from '../../../api/client.ts'
import { keys } from '../../../api/query.ts'
import { useCan } from '../../../api/use-can.ts'
import { componentOptions } from '../../../inputs/component-options.ts'
import { credentialsQuery } from '../../../inputs/credential/queries.ts'
import { ParamForm } from '../../../inputs/ParamForm.tsx'
import { type InputEnvironment, InputEnvironmentProvider, type Patch } from '../../../inputs/types.ts'
import { Field } from '../../../ui/forms/Form.tsx'
import type { AssistantDraft } from './assistant-draft.ts'
import { withOnlyCredential } from './first-model.ts'

const InstructionDialog = lazy(() => import('./InstructionDialog.tsx'))

const INSTRUCTION: InputParam = {
  label: 'Instructions',
  name: 'instruction',
  type: 'string',
  description:
    'Who the assistant is, what it does, and what it must not do. The model reads them before each conversation.',
  placeholder: 'You are a helpful assistant.',
  rows: 10,
  optional: true,
  acceptVariable: true,
}

interface Props {
  draft: AssistantDraft
  definitions: readonly ComponentDefinition[]
  /** What the assistant runs as. */
  flow: FlowDocument
  mayEdit: boolean
  startersError: string | undefined
}

/** Model, instructions, tools, document stores and starter questions. */
export function AssistantForm({ draft, definitions, flow, mayEdit, startersError }: Props) {
  const { form } = draft
  const { fields } = useSnapshot(form, { sync: true })
  const [generating, setGenerating] = useState(false)
  const { data: credentials = [] } = useQuery({ ...credentialsQuery(), enabled: useCan()('credentials:view') })
  const byName = useMemo(() => componentsByName(definitions), [definitions])
  const world = useEnvironment(draft, { flow, byName })
  const params = useMemo(() => {
    const find = (name: string) => byName.get(AGENT)?.inputs.find((param) => param.name === name)
    return [find('agentModel'), INSTRUCTION, find('agentTools'), find('agentKnowledgeDocumentStores')].filter(
      (param) => param !== undefined,
    )
  }, [byName])
  const patch = (change: Patch) => {
    const inputs = { ...form.fields.inputs, ...withOnlyCredential(change, { definitions: byName, credentials }) }
    form.fields = { ...form.fields, inputs }
  }
  return (
    <InputEnvironmentProvider value={world}>
      <chakra.fieldset disabled={!mayEdit} minW="0" display="flex" flexDirection="column" gap="6">
        <chakra.legend srOnly>Configuration</chakra.legend>
        <ParamForm
          prefix="assistant"
          params={params}
          values={fields.inputs as Record<string, unknown>}
          onPatch={patch}
          below={{
            param: INSTRUCTION.name,
            content: (
              <WriteButton
                isPractice={fields.inputs.agentModel === PRACTICE_MODEL}
                onClick={() => setGenerating(true)}
              />
            ),
          }}
        />
        <Field
          label="Starter questions (optional)"
          help={`One per line, at most ${MAX_STARTERS}. The chat offers them before the first message.`}
          error={startersError}
        >
          <Textarea
            rows={3}
            maxLength={4000}
            placeholder="What can you help me with?"
            value={fields.starters}
            onChange={(event) => {
              form.fields = { ...form.fields, starters: event.target.value }
            }}
          />
        </Field>
      </chakra.fieldset>
      <Suspense>
        {generating && (
          <InstructionDialog
            draft={draft}
            onUse={(instruction) => patch({ instruction })}
            onClose={() => setGenerating(false)}
          />
        )}
      </Suspense>
    </InputEnvironmentProvider>
  )
}

function WriteButton({ isPractice, onClick }: { isPractice: boolean; onClick: () => void }) {
  return (
    <Stack gap="1.5" align="start">
      <Button
        size="sm"
        variant="outline"
        disabled={isPractice}
        aria-describedby={isPractice ? 'write-reason' : undefined}
        onClick={onClick}
      >
        <IconWand size={16} aria-hidden />
        Write with the model
      </Button>
      {isPractice && (
        <Text id="write-reason" textStyle="xs" color="fg.muted">
          The practice model can’t write instructions. Choose another model.
        </Text>
      )}
    </Stack>
  )
}

interface Surroundings {
  flow: FlowDocument
  byName: ReadonlyMap<string, ComponentDefinition>
}

/** The input environment of the Agent node that the assistant is drawn as. */
function useEnvironment({ id, form }: AssistantDraft, { flow, byName }: Surroundings): InputEnvironment {
  const maySeeVariables = useCan()('variables:view')
  const { data: variables = [] } = useQuery({
    queryKey: keys.list('variables'),
    queryFn: () => api.get<{ name: string }[]>('/variables', undefined, { background: true }),
    enabled: maySeeVariables,
  })
  return useMemo(() => {
    const agent = flow.nodes.find(({ data }) => data.name === AGENT)
    const nodeId = agent?.id ?? ''
    return {
      owner: AGENT,
      flowId: id,
      node: () => ({ id: nodeId, name: AGENT, label: agent?.data.label ?? '', inputs: form.fields.inputs }),
      previousNodes: () => [],
      component: (name) => byName.get(name),
      knownOptions: (param) => componentOptions(byName.values(), param),
      nodeNames: () => new Map(),
      suggestions: (param) => variableSuggestions(flow, nodeId, { param, kind: assistant, variables }),
    }
  }, [id, form, flow, byName, variables])
}
