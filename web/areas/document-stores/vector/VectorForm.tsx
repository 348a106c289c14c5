import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react'
import { useState } from 'react'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { useCan } from '../../../api/use-can.ts'
import { ownZone } from '../../../inputs/trigger/clock.ts'
import { notify } from '../../../state/notify.ts'
import { Form } from '../../../ui/forms/Form.tsx'
import { useForm } from '../../../ui/forms/use-form.ts'
import { saveVectorConfig, upsertStore } from '../api.ts'
import { missingInput } from '../shared/component-choice.ts'
import { isOpen } from '../shared/job-state.ts'
import { Estimate } from './Estimate.tsx'
import { EmbeddingSection, RefreshSection, SearchSection } from './sections.tsx'
import { buildSaveRequest, checkVector, type VectorDraft, vectorDraft } from './vector-draft.ts'

interface Props {
  store: DocumentStore
  /** Only this loader is embedded; undefined: all of the store. */
  docId: string | undefined
  embedders: readonly ComponentDefinition[]
  vectorStores: readonly ComponentDefinition[]
}

export function VectorForm({ store, docId, embedders, vectorStores }: Props) {
  const mayEdit = useCan()('documentStores:update')
  const [thenUpsert, setThenUpsert] = useState(false)
  const form = useForm<VectorDraft>({
    initial: vectorDraft(store, ownZone()),
    check: (draft) =>
      checkVector(draft, {
        embedding: missingInput(embedders, draft.embedding),
        vectorStore: missingInput(vectorStores, draft.vectorStore),
      }),
    send: async (draft) => {
      await saveVectorConfig(buildSaveRequest(store, draft))
      if (thenUpsert) await upsertStore(store.id, docId)
      notify.success(thenUpsert ? 'Saved. The chunks are being embedded.' : 'Settings saved')
    },
  })
  const section = { draft: form.values, errors: form.errors.fields, onChange: form.set }
  return (
    <Form onSubmit={form.submit} summary={form.errors.summary}>
      <chakra.fieldset disabled={!mayEdit} minW="0" display="flex" flexDirection="column" gap="6">
        <EmbeddingSection {...section} store={store} embedders={embedders} vectorStores={vectorStores} />
        <SearchSection {...section} />
        <RefreshSection {...section} />
        {mayEdit && (
          <Box position={{ md: 'sticky' }} bottom="0" bg="bg" borderTopWidth="1px" py="4">
            <Estimate storeId={store.id} docId={docId} embedding={form.values.embedding} />
            <Actions
              isWorkedOn={isOpen(store.job)}
              sending={form.busy ? (thenUpsert ? 'upsert' : 'save') : undefined}
              onPress={setThenUpsert}
            />
          </Box>
        )}
      </chakra.fieldset>
    </Form>
  )
}

interface ActionProps {
  /** A job works on the store, so no other can start. */
  isWorkedOn: boolean
  sending: 'save' | 'upsert' | undefined
  /** Called before the form is submitted. */
  onPress(thenUpsert: boolean): void
}

function Actions({ isWorkedOn, sending, onPress }: ActionProps) {
  return (
    <Flex gap="2" wrap="wrap" align="center">
      <Button type="submit" variant="outline" loading={sending === 'save'} onClick={() => onPress(false)}>
        Save
      </Button>
      <Button
        type="submit"
        colorPalette="accent"
        disabled={isWorkedOn}
        loading={sending === 'upsert'}
        onClick={() => onPress(true)}
      >
        Save and upsert
      </Button>
      {isWorkedOn && (
        <Text textStyle="sm" color="fg.muted">
          This store has an unfinished job. Upsert again when it has ended.
        </Text>
      )}
    </Flex>
  )
}
