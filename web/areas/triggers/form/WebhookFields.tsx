import { Text, Textarea } from '@chakra-ui/react'
import {
  CONTENT_TYPE_LABELS,
  FIELD_LABELS,
  RESPONSE_LABELS,
  SIGNATURE_LABELS,
  WEBHOOK_INPUT_LABELS,
} from '#contract/triggers/labels.ts'
import { BODY_TYPES, WEBHOOK_METHODS } from '#contract/triggers/settings.ts'
import { SIGNATURE_SETUPS } from '../../../inputs/trigger/signature-setups.ts'
import { Field } from '../../../ui/forms/Form.tsx'
import {
  AdvancedSection,
  Choice,
  choicesOf,
  FieldRow,
  type FieldsProps,
  TextField,
  Toggle,
} from '../../../ui/forms/fields.tsx'
import type { WebhookDraft } from './draft.ts'
import { ExpectedFields } from './ExpectedFields.tsx'

type Props = FieldsProps<WebhookDraft>

/** Request, authentication, input, response and validation settings of a webhook. */
export function WebhookFields(props: Props) {
  return (
    <>
      <RequestFields {...props} />
      <SignatureFields {...props} />
      <InputFields {...props} />
      <ResponseFields {...props} />
      <ValidationFields {...props} />
    </>
  )
}

function RequestFields({ draft, set }: Props) {
  return (
    <FieldRow>
      <Choice
        label={FIELD_LABELS.method}
        value={draft.method}
        options={WEBHOOK_METHODS.map((method) => [method, method] as const)}
        onChange={(method) => set({ method })}
      />
      <Choice
        label={FIELD_LABELS.contentType}
        value={draft.contentType}
        options={choicesOf(CONTENT_TYPE_LABELS)}
        onChange={(contentType) => set({ contentType })}
      />
    </FieldRow>
  )
}

function SignatureFields({ draft, errors, set }: Props) {
  const { signature } = draft
  return (
    <>
      <Choice
        label={FIELD_LABELS.signature}
        help={SIGNATURE_SETUPS[signature].setup}
        value={signature}
        options={choicesOf(SIGNATURE_LABELS)}
        onChange={(chosen) => set({ signature: chosen })}
      />
      {(signature === 'hmac-sha256' || signature === 'plain-token') && (
        <TextField
          label={FIELD_LABELS.signatureHeader}
          mono
          error={errors['settings.signatureHeader']}
          value={draft.signatureHeader}
          onChange={(signatureHeader) => set({ signatureHeader })}
        />
      )}
    </>
  )
}

function InputFields({ draft, errors, set }: Props) {
  return (
    <>
      <Choice
        label={FIELD_LABELS.input}
        value={draft.mode}
        options={choicesOf(WEBHOOK_INPUT_LABELS)}
        onChange={(mode) => set({ mode })}
      />
      {draft.mode === 'text' && (
        <Field
          label={FIELD_LABELS.text}
          help="Insert request values with {{ $webhook.body.name }}, {{ $webhook.query.name }} or {{ $webhook.headers.name }}."
          error={errors['settings.input.text']}
        >
          <Textarea rows={3} value={draft.text} onChange={(event) => set({ text: event.target.value })} />
        </Field>
      )}
    </>
  )
}

function ResponseFields({ draft, errors, set }: Props) {
  return (
    <>
      <Choice
        label={FIELD_LABELS.response}
        value={draft.response}
        options={choicesOf(RESPONSE_LABELS)}
        onChange={(response) => set({ response })}
      />
      {draft.response === 'async' && (
        <TextField
          label={`${FIELD_LABELS.callbackUrl} (optional)`}
          type="url"
          placeholder="https://"
          help="Receives the answer as a POST signed with the secret. Failed calls are retried."
          error={errors['settings.callbackUrl']}
          value={draft.callbackUrl}
          onChange={(callbackUrl) => set({ callbackUrl })}
        />
      )}
    </>
  )
}

function ValidationFields(props: Props) {
  const { draft, errors, set } = props
  return (
    <AdvancedSection
      title="Validation"
      summary={draft.validates ? 'required fields' : 'off'}
      hasError={Object.keys(errors).some((field) => /validation|maxBytes|tolerance/.test(field))}
    >
      <FieldRow>
        <TextField
          label={`${FIELD_LABELS.maxBytes} (KB)`}
          type="number"
          error={errors['settings.maxBytes']}
          value={draft.maxKilobytes}
          onChange={(maxKilobytes) => set({ maxKilobytes })}
        />
        <TextField
          label={FIELD_LABELS.toleranceSeconds}
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
      {draft.validates && <RequestContents {...props} />}
    </AdvancedSection>
  )
}

/** The fields that a request must have. */
function RequestContents({ draft, set }: Props) {
  return (
    <>
      <Text textStyle="sm" color="fg.muted">
        Use dots for nested fields, such as repository.name. Other fields are accepted too.
      </Text>
      <ExpectedFields
        label={FIELD_LABELS.body}
        item="body field"
        rows={draft.body}
        // A form holds plain values only.
        types={draft.contentType === 'application/json' ? BODY_TYPES : BODY_TYPES.slice(0, 3)}
        onChange={(body) => set({ body })}
      />
      <ExpectedFields
        label={FIELD_LABELS.query}
        item="query parameter"
        rows={draft.query}
        onChange={(query) => set({ query })}
      />
      <ExpectedFields
        label={FIELD_LABELS.headers}
        item="header"
        rows={draft.headers}
        onChange={(headers) => set({ headers })}
      />
    </>
  )
}
