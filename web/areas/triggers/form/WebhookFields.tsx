import { Text, Textarea } from '@chakra-ui/react'
import { SIGNATURES, WEBHOOK_METHODS } from '#contract/triggers/settings.ts'
import { SIGNATURE_LABELS } from '../../../inputs/trigger/signature-labels.ts'
import { Field } from '../../../ui/Form.tsx'
import type { WebhookDraft } from './draft.ts'
import { ExpectedFields } from './ExpectedFields.tsx'
import { Choice, type FieldsProps, More, Pair, TextField, Toggle } from './fields.tsx'

type Props = FieldsProps<WebhookDraft>

/** Which requests a webhook takes, what the flow gets of them, and how it answers. */
export function WebhookFields(props: Props) {
  const { draft, errors, set } = props
  const { signature, mode, response } = draft
  return (
    <>
      <Pair>
        <Choice
          label="Method"
          value={draft.method}
          options={WEBHOOK_METHODS.map((method) => [method, method] as const)}
          onChange={(method) => set({ method })}
        />
        <Choice
          label="Content type"
          value={draft.contentType}
          options={[
            ['application/json', 'JSON'],
            ['application/x-www-form-urlencoded', 'Form'],
          ]}
          onChange={(contentType) => set({ contentType })}
        />
      </Pair>
      <Choice
        label="How a request proves where it comes from"
        help={SIGNATURE_LABELS[signature].how}
        value={signature}
        options={SIGNATURES.map((each) => [each, SIGNATURE_LABELS[each].label] as const)}
        onChange={(chosen) => set({ signature: chosen })}
      />
      {(signature === 'hmac-sha256' || signature === 'plain-token') && (
        <TextField
          label="Header"
          mono
          error={errors['settings.signatureHeader']}
          value={draft.signatureHeader}
          onChange={(signatureHeader) => set({ signatureHeader })}
        />
      )}
      <Choice
        label="What the flow gets"
        value={mode}
        options={[
          ['payload', 'The whole request'],
          ['text', 'A message with values of the request'],
          ['none', 'No message: nodes read the request by references'],
        ]}
        onChange={(chosen) => set({ mode: chosen })}
      />
      {mode === 'text' && (
        <Field
          label="Message"
          help="Values of the request: {{ $webhook.body.name }}, {{ $webhook.query.name }}, {{ $webhook.headers.name }}."
          error={errors['settings.input.text']}
        >
          <Textarea rows={3} value={draft.text} onChange={(event) => set({ text: event.target.value })} />
        </Field>
      )}
      <Choice
        label="How it answers"
        value={response}
        options={[
          ['sync', 'Waits for the flow, and sends its answer'],
          ['async', 'At once (202), with an address to ask later'],
          ['stream', 'As the answer comes (SSE)'],
        ]}
        onChange={(chosen) => set({ response: chosen })}
      />
      {response === 'async' && (
        <TextField
          label="Send the answer to (optional)"
          type="url"
          placeholder="https://"
          help="Signed with the secret, and sent again when nobody takes it."
          error={errors['settings.callbackUrl']}
          value={draft.callbackUrl}
          onChange={(callbackUrl) => set({ callbackUrl })}
        />
      )}
      <More
        title="Checks"
        says={draft.validates ? 'the request must have the shape given' : 'any shape'}
        isWrong={Object.keys(errors).some((field) => /validation|maxBytes|tolerance/.test(field))}
      >
        <Pair>
          <TextField
            label="Largest body, in kilobytes"
            type="number"
            error={errors['settings.maxBytes']}
            value={draft.maxKilobytes}
            onChange={(maxKilobytes) => set({ maxKilobytes })}
          />
          <TextField
            label="Oldest signature, in seconds"
            type="number"
            error={errors['settings.toleranceSeconds']}
            value={draft.toleranceSeconds}
            onChange={(toleranceSeconds) => set({ toleranceSeconds })}
          />
        </Pair>
        <Toggle
          label="Refuse requests of another shape"
          isOn={draft.validates}
          onChange={(validates) => set({ validates })}
        />
        {draft.validates && (
          <>
            <Text textStyle="sm" color="fg.muted">
              Names of parts are joined by dots: repository.name. What is not named here may come as well.
            </Text>
            <ExpectedFields
              label="Body"
              rows={draft.body}
              isForm={draft.contentType !== 'application/json'}
              onChange={(body) => set({ body })}
            />
            <ExpectedFields label="Query" rows={draft.query} onChange={(query) => set({ query })} />
            <ExpectedFields label="Headers" rows={draft.headers} onChange={(headers) => set({ headers })} />
          </>
        )}
      </More>
    </>
  )
}
