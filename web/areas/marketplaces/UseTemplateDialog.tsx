import { Button, Field, Stack, Text } from '@chakra-ui/react'
import { useId, useState } from 'react'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type CredentialNeed, withCredentials } from '#contract/flow/transfer/credential-needs.ts'
import { CredentialInput } from '../../inputs/credential/CredentialInput.tsx'
import { ContentDialog } from '../../ui/feedback/ContentDialog.tsx'

interface Props {
  flow: FlowDocument
  needs: CredentialNeed[]
  busy: boolean
  onUse(flow: FlowDocument): void
  onClose(): void
}

/** Asks for the credentials of a template's models and tools. Each may be skipped. */
export default function UseTemplateDialog({ flow, needs, busy, onUse, onClose }: Props) {
  const [chosen, setChosen] = useState<(string | undefined)[]>([])
  const id = useId()
  const missing = needs.filter((_, index) => !chosen[index])
  return (
    <ContentDialog
      title="Choose credentials"
      scroll="outside"
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button colorPalette="accent" loading={busy} onClick={() => onUse(withCredentials(flow, needs, chosen))}>
            {missing.length === needs.length ? 'Skip and use template' : 'Use template'}
          </Button>
        </>
      }
    >
      <Stack gap="4">
        <Text color="fg.muted">
          This template uses services that need a key. Choose a credential or create one, or skip it for now.
        </Text>
        {needs.map((need, index) => (
          <Field.Root key={need.path.join('.') + need.nodeId} ids={{ control: `${id}-${index}` }}>
            <Field.Label>{need.label}</Field.Label>
            <CredentialInput
              id={`${id}-${index}`}
              param={{
                label: need.label,
                name: 'credential',
                type: 'credential',
                credentialNames: [...need.credentialNames],
              }}
              value={chosen[index]}
              onChange={(value) => setChosen(chosenAt(needs.length, chosen, { index, value }))}
            />
            <Field.HelperText>
              {need.isModel
                ? 'Without one, the practice model answers.'
                : 'Without one, this step fails until you choose one on the canvas.'}
            </Field.HelperText>
          </Field.Root>
        ))}
      </Stack>
    </ContentDialog>
  )
}

const chosenAt = (
  length: number,
  chosen: (string | undefined)[],
  { index, value }: { index: number; value: unknown },
): (string | undefined)[] =>
  Array.from({ length }, (_, each) => (each === index ? String(value ?? '') || undefined : chosen[each]))
