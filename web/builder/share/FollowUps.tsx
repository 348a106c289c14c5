import { Stack, Textarea } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { componentsByName } from '#contract/flow/params/params.ts'
import { componentsQuery } from '../../api/components.ts'
import { ParamForm } from '../../inputs/ParamForm.tsx'
import { type InputEnvironment, InputEnvironmentProvider, type Patch } from '../../inputs/types.ts'
import { Field } from '../../ui/forms/Form.tsx'
import type { ChatValues } from './chat-values.ts'
import { Toggle } from './Toggle.tsx'

const MODEL: InputParam = {
  label: 'Model',
  name: 'llmModel',
  type: 'asyncOptions',
  loadMethod: 'listModels',
  loadConfig: true,
  description: 'Writes the questions after each answer. You pay for the call.',
}

interface Props {
  values: ChatValues['followUps']
  errors: Readonly<Record<string, string>>
  onChange: (values: ChatValues['followUps']) => void
}

/** The model that writes questions to go on with. */
export function FollowUps({ values, errors, onChange }: Props) {
  const { data } = useQuery({ ...componentsQuery, enabled: values.on })
  const world = useMemo((): InputEnvironment => {
    const byName = componentsByName(data ?? [])
    return {
      component: (name) => byName.get(name),
      knownOptions: () => undefined,
      // Chat models are listed for every component alike.
      owner: 'conversationChain',
      node: () => undefined,
      previousNodes: () => [],
      flowId: undefined,
      suggestions: () => [],
      nodeNames: () => new Map(),
    }
  }, [data])
  const inputs = { llmModel: values.model, llmModelConfig: { ...values.config, llmModel: values.model } }
  const patch = (change: Patch) => {
    const { llmModel: _, ...config } = { ...(change.llmModelConfig ?? values.config) } as Record<string, unknown>
    onChange({ ...values, model: String(change.llmModel ?? values.model), config })
  }
  return (
    <Stack gap="3">
      <Toggle
        label="Follow-up questions"
        help="After an answer, a model suggests what to ask next."
        on={values.on}
        onChange={(on) => onChange({ ...values, on })}
      />
      {values.on && (
        <>
          <InputEnvironmentProvider value={world}>
            <ParamForm prefix="follow-ups" params={[MODEL]} values={inputs} errors={errors} onPatch={patch} />
          </InputEnvironmentProvider>
          <Field label="Prompt" help="{history} stands for the question and its answer.">
            <Textarea
              rows={3}
              maxLength={10_000}
              value={values.prompt}
              onChange={(event) => onChange({ ...values, prompt: event.target.value })}
            />
          </Field>
        </>
      )}
    </Stack>
  )
}
