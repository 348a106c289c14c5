import { Text, Textarea } from '@chakra-ui/react'
import { SIGNATURES, WEBHOOK_METHODS } from '#contract/triggers/settings.ts'
import { SIGNATURE_LABELS } from '../../../inputs/trigger/signature-labels.ts'
import { Field } from '../../../ui/forms/Form.tsx'
import type { WebhookDraft } from './draft.ts'
import { ExpectedFields } from './ExpectedFields.tsx'
import { AdvancedSection, Choice, FieldRow, type FieldsProps, TextField, Toggle } from './fields.tsx'

type Props = FieldsProps<WebhookDraft>

/** Request, authentication, input, response and validation settings of a webhook. */
export function WebhookFields(props: Props) {
  const { draft, errors, set } = props
  const { signature, mode, response } = draft
  return (
    <>
      <FieldRow>
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
      </FieldRow>
      <Choice
        label="Authentication"
        help={SIGNATURE_LABELS[signature].setup}
        value={signature}
        options={SIGNATURES.map((each) => [each, SIGNATURE_LABELS[each].label] as const)}
        onChange={(chosen) => set({ signature: chosen })}
      />
      {(signature === 'hmac-sha256' || signature === 'plain-token') && (
        <TextField
          label="Header name"
          mono
          error={errors['settings.signatureHeader']}
          value={draft.signatureHeader}
          onChange={(signatureHeader) => set({ signatureHeader })}
        />
      )}
      <Choice
        label="Input"
        value={mode}
        options={[
          ['payload', 'Full request'],
          ['text', 'Message with values from the request'],
          ['none', 'No input (nodes can still reference the request)'],
        ]}
        onChange={(chosen) => set({ mode: chosen })}
      />
      {mode === 'text' && (
        <Field
          label="Message"
          help="Insert request values with {{ $webhook.body.name }}, {{ $webhook.query.name }} or {{ $webhook.headers.name }}."
          error={errors['settings.input.text']}
        >
          <Textarea rows={3} value={draft.text} onChange={(event) => set({ text: event.target.value })} />
        </Field>
      )}
      <Choice
        label="Response"
        value={response}
        options={[
          ['sync', 'When the flow finishes, with its answer'],
          ['async', 'Immediately (202), with a status URL'],
          ['stream', 'Streaming (SSE)'],
        ]}
        onChange={(chosen) => set({ response: chosen })}
      />
      {response === 'async' && (
        <TextField
          label="Callback URL (optional)"
          type="url"
          placeholder="https://"
          help="Receives the answer as a POST signed with the secret. Failed calls are retried."
          error={errors['settings.callbackUrl']}
          value={draft.callbackUrl}
          onChange={(callbackUrl) => set({ callbackUrl })}
        />
      )}
      <AdvancedSection
        title="Validation"
        summary={draft.validates ? 'required fields' : 'off'}
        hasError={Object.keys(errors).some((field) => /validation|maxBytes|tolerance/.test(field))}
      >
        <FieldRow>
          <TextField
            label="Maximum body size (KB)"
            type="number"
            error={errors['settings.maxBytes']}
            value={draft.maxKilobytes}
            onChange={(maxKilobytes) => set({ maxKilobytes })}
          />
          <TextField
            label="Signature tolerance (seconds)"
            type="number"
            error={errors['settings.toleranceSeconds']}
            value={draft.toleranceSeconds}
            onChange={(toleranceSeconds) => set({ toleranceSeconds })}
          />
        </FieldRow>
        <Toggle
          label="Reject requests without the expected fields"
          isOn={draft.validates}
          onChange={(validates) => set({ validates })}
        />
        {draft.validates && (
          <>
            <Text textStyle="sm" color="fg.muted">
              Use dots for nested fields, such as repository.name. Other fields are accepted too.
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
      </AdvancedSection>
    </>
  )
}
