import { Switch, Text, Textarea } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import { PRACTICE_MODEL } from '#contract/flow/practice-model.ts'
import type { GenerateAnswer } from '#contract/generator/generator.ts'
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
import { type FormErrors, fieldErrors, noErrors } from '../../ui/forms/form-errors.ts'
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
  const isEmpty = canvas.kind.isEmpty(draft)
  const [description, setDescription] = useState({ question: '', builds: !isEmpty })
  const [chosen, setChoice] = useState<ModelChoice>()
  const first = useFirstModel(canvas, isEmpty)
  const choice = chosen ?? first
  const { ask, cancel, proposal, errors, setErrors } = useProposal(canvas.kind.flow.generator ?? '')
  const question = description.question.trim()

  const submit = () => {
    const wrong = fieldErrors({
      question: question === '' && 'Describe what the flow should do.',
      model: !choice.model && 'Choose a model.',
    })
    if (wrong.summary) setErrors(wrong)
    else void ask({ question, choice, present: description.builds ? draft : null })
  }
  const apply = ({ nodes, edges }: GenerateAnswer) => {
    perform(canvas, 'build the flow from a description', (flow) => ({ ...flow, nodes, edges }))
    notify.success('Applied. Undo restores the previous flow.')
    onApplied()
    onClose()
  }

  if (cancel) return <Building onCancel={cancel} />
  if (proposal) {
    const present = { ...draft, ...documentOf(proposal) }
    return (
      <ProposalView
        canvas={canvas}
        proposal={proposal}
        isExample={choice.model === PRACTICE_MODEL}
        onApply={() => apply(proposal)}
        onRetry={(remark) => void ask({ question: `${question}\n\n${remark}`, choice, present })}
        onDiscard={onClose}
      />
    )
  }
  return (
    <FormDialog
      title="Describe what you want"
      submit="Propose a flow"
      size="lg"
      form={{ busy: false, dirty: question !== '', errors, submit }}
      onClose={onClose}
    >
      <DescriptionFields
        {...{ canvas, description, choice, errors }}
        onDescribe={(change) => setDescription({ ...description, ...change })}
        onChoose={setChoice}
      />
    </FormDialog>
  )
}

/** Asks for proposals, one at a time. `cancel` is set while a request is under way, which also ends with the dialog. */
function useProposal(generator: string) {
  const [errors, setErrors] = useState(noErrors)
  const [proposal, setProposal] = useState<GenerateAnswer>()
  const [asking, setAsking] = useState<AbortController>()
  const latest = useRef(asking)
  latest.current = asking
  useEffect(() => () => latest.current?.abort(), [])

  const ask = async (request: FlowRequest) => {
    const controller = new AbortController()
    setErrors(noErrors)
    setAsking(controller)
    try {
      setProposal(await propose(generator, request, controller.signal))
    } catch (error) {
      if (!controller.signal.aborted) {
        setErrors({ summary: errorMessage(error), fields: {} })
        if (proposal) notify.error(`Couldn’t get another proposal: ${errorMessage(error)}`)
      }
    }
    setAsking(undefined)
  }
  return { ask, cancel: asking && (() => asking.abort()), proposal, errors, setErrors }
}

interface Description {
  question: string
  /** Changes the current flow instead of starting over. */
  builds: boolean
}

interface DescriptionFieldsProps {
  canvas: Canvas
  description: Description
  choice: ModelChoice
  errors: FormErrors
  onDescribe: (change: Partial<Description>) => void
  onChoose: (choice: ModelChoice) => void
}

function DescriptionFields({ canvas, description, choice, errors, onDescribe, onChoose }: DescriptionFieldsProps) {
  const world = useNodeEnvironment(canvas, undefined)
  return (
    <>
      <Field
        label="What should this flow do?"
        help="For example: sort incoming emails into complaints and questions, and ask me before a reply is sent."
        error={errors.fields.question}
      >
        <Textarea
          autoFocus
          rows={5}
          maxLength={20_000}
          value={description.question}
          onChange={(event) => onDescribe({ question: event.target.value })}
        />
      </Field>
      <InputEnvironmentProvider value={world}>
        <ParamForm
          prefix="describe"
          params={[MODEL]}
          values={choice}
          errors={errors.fields}
          onPatch={(patch) => onChoose({ ...choice, ...patch })}
        />
      </InputEnvironmentProvider>
      {choice.model === PRACTICE_MODEL && (
        <Notice kind="warning">
          The practice model can’t design flows. It proposes the same example whatever you describe. Choose another
          model for a flow of your own.
        </Notice>
      )}
      {!canvas.kind.isEmpty(canvas.state.flow) && (
        <Switch.Root checked={description.builds} onCheckedChange={({ checked }) => onDescribe({ builds: checked })}>
          <Switch.HiddenInput />
          <Switch.Control />
          <Switch.Label lineHeight="short">Change the current flow instead of starting over</Switch.Label>
        </Switch.Root>
      )}
      <Text fontSize="sm" color="fg.muted">
        You review the proposal before anything changes.
      </Text>
    </>
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
