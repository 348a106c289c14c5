import { Switch, Text, Textarea } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import { PRACTICE_MODEL } from '#contract/flow/practice-model.ts'
import type { GenerateAnswer } from '#contract/generator.ts'
import { useCan } from '../../api/use-can.ts'
import { useNodeEnvironment } from '../../canvas/panels/use-node-environment.ts'
import { type Canvas, perform } from '../../canvas/store/store.ts'
import { credentialsQuery } from '../../inputs/credential/queries.ts'
import { ParamForm } from '../../inputs/ParamForm.tsx'
import { InputEnvironmentProvider } from '../../inputs/types.ts'
import { notify } from '../../state/notify.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors, noErrors } from '../../ui/forms/form-errors.ts'
import { Building } from './Building.tsx'
import { ProposalView } from './ProposalView.tsx'
import { type FlowRequest, firstModel, MODEL, type ModelChoice, propose } from './proposal.ts'

interface Props {
  canvas: Canvas
  onApplied: () => void
  onClose: () => void
}

/** Asks a model for a flow from a description. The canvas changes only when the proposal is applied. */
export default function DescribeDialog({ canvas, onApplied, onClose }: Props) {
  const draft = canvas.state.flow
  const [question, setQuestion] = useState('')
  const isEmpty = canvas.kind.isEmpty(draft)
  const [chosen, setChoice] = useState<ModelChoice>()
  const first = useFirstModel(canvas, isEmpty)
  const choice = chosen ?? first
  const [builds, setBuilds] = useState(!isEmpty)
  const isPractice = choice.model === PRACTICE_MODEL
  const [errors, setErrors] = useState(noErrors)
  const [proposal, setProposal] = useState<GenerateAnswer>()
  const [asking, setAsking] = useState<AbortController>()
  const world = useNodeEnvironment(canvas, undefined)
  const latest = useRef(asking)
  latest.current = asking
  useEffect(() => () => latest.current?.abort(), [])

  const ask = async (request: FlowRequest) => {
    const controller = new AbortController()
    setErrors(noErrors)
    setAsking(controller)
    try {
      setProposal(await propose(canvas.kind.generator ?? '', request, controller.signal))
    } catch (error) {
      if (!controller.signal.aborted) {
        setErrors({ summary: errorMessage(error), fields: {} })
        if (proposal) notify.error(`Couldn’t get another proposal: ${errorMessage(error)}`)
      }
    }
    setAsking(undefined)
  }
  const submit = () => {
    const wrong = fieldErrors({
      question: question.trim() === '' && 'Describe what the flow should do.',
      model: !choice.model && 'Choose a model.',
    })
    if (wrong.summary) setErrors(wrong)
    else void ask({ question: question.trim(), choice, present: builds ? draft : null })
  }
  const apply = ({ nodes, edges }: GenerateAnswer) => {
    perform(canvas, 'build the flow from a description', (flow) => ({ ...flow, nodes, edges }))
    notify.success('Applied. Undo restores the previous flow.')
    onApplied()
    onClose()
  }

  if (asking) return <Building onCancel={() => asking.abort()} />
  if (proposal) {
    const retry = (remark: string) =>
      void ask({ question: `${question.trim()}\n\n${remark}`, choice, present: { ...draft, ...documentOf(proposal) } })
    return (
      <ProposalView
        canvas={canvas}
        proposal={proposal}
        isExample={isPractice}
        onApply={() => apply(proposal)}
        onRetry={retry}
        onDiscard={onClose}
      />
    )
  }
  return (
    <FormDialog
      title="Describe what you want"
      submit="Propose a flow"
      size="lg"
      form={{ busy: false, dirty: question.trim() !== '', errors, submit }}
      onClose={onClose}
    >
      <Field
        label="What should this flow do?"
        help="For example: sort incoming emails into complaints and questions, and ask me before a reply is sent."
        error={errors.fields.question}
      >
        <Textarea
          autoFocus
          rows={5}
          maxLength={20_000}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
      </Field>
      <InputEnvironmentProvider value={world}>
        <ParamForm
          prefix="describe"
          params={[MODEL]}
          values={choice}
          errors={errors.fields}
          onPatch={(patch) => setChoice({ ...choice, ...patch })}
        />
      </InputEnvironmentProvider>
      {isPractice && (
        <Notice kind="warning">
          The practice model can’t design flows. It proposes the same example whatever you describe. Choose another
          model for a flow of your own.
        </Notice>
      )}
      {!isEmpty && (
        <Switch.Root checked={builds} onCheckedChange={(change) => setBuilds(change.checked)}>
          <Switch.HiddenInput />
          <Switch.Control />
          <Switch.Label lineHeight="short">Change the current flow instead of starting over</Switch.Label>
        </Switch.Root>
      )}
      <Text fontSize="sm" color="fg.muted">
        You review the proposal before anything changes.
      </Text>
    </FormDialog>
  )
}

/** Follows the credentials and the catalogue until a person chooses. */
function useFirstModel(canvas: Canvas, isNew: boolean): ModelChoice {
  const { flow, hasCatalogue } = useSnapshot(canvas.state)
  const mayChoose = useCan()('credentials:view')
  const { data: credentials } = useQuery({ ...credentialsQuery(), enabled: mayChoose })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the catalogue changes the components
  return useMemo(
    () => firstModel(flow, { components: canvas.definitions, credentials: credentials ?? [] }, { isNew }),
    [canvas, flow, hasCatalogue, credentials, isNew],
  )
}

const documentOf = ({ nodes, edges }: GenerateAnswer) => ({ nodes, edges })
