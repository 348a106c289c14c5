import { Button, Field as ChakraField, Flex, Stack, Text, Textarea } from '@chakra-ui/react'
import { IconEye, IconEyeOff, IconTrash } from '@tabler/icons-react'
import { formatCount } from '#contract/data/format.ts'
import type { DocumentChunk } from '#contract/document-stores/chunks.ts'
import { MAX_CHUNK_CHARS } from '#contract/document-stores/limits.ts'
import { useCan } from '../../../api/use-can.ts'
import { CodeInput } from '../../../inputs/CodeInput.tsx'
import { deleteAsset } from '../../../state/delete-asset.ts'
import { notify } from '../../../state/notify.ts'
import { Field } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { useForm } from '../../../ui/forms/use-form.ts'
import { deleteChunk, updateChunk } from '../api.ts'
import { attempt } from '../shared/actions.ts'
import { ChunkConflict } from './ChunkConflict.tsx'
import { Marks } from './ChunkGrid.tsx'
import { type ChunkFields, changeOf, checkChunk, fieldsOf } from './chunk-form.ts'

const METADATA = { label: 'Metadata', name: 'metadata', type: 'json' }
const NO_SCOPE = { params: [], inputs: {} }

interface Props {
  chunk: DocumentChunk
  onClose(): void
}

/** Shows and edits a chunk. An edit that stands against a changed source asks for a decision first. */
export default function ChunkDialog({ chunk, onClose }: Props) {
  const may = useCan()
  const mayEdit = may('documentStores:update')
  const form = useForm<ChunkFields>({
    initial: fieldsOf(chunk),
    check: checkChunk,
    send: async (fields) => {
      const change = changeOf(chunk, fields)
      if (Object.keys(change).length > 0) await saveChange(chunk, fields)
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={`Chunk ${chunk.chunkNo} of ${chunk.sourceName}`}
      submit={mayEdit ? 'Save' : 'Close'}
      size="lg"
      form={form}
      onClose={onClose}
    >
      {chunk.proposedContent !== null && (
        <ChunkConflict chunk={chunk} proposed={chunk.proposedContent} mayDecide={mayEdit} onDecided={onClose} />
      )}
      <Field
        label="Text"
        help="Searches find this text. Your edit stays when the source is read again."
        error={errors.fields.pageContent}
      >
        <Textarea
          autoFocus
          rows={12}
          maxLength={MAX_CHUNK_CHARS}
          readOnly={!mayEdit}
          value={values.pageContent}
          onChange={(event) => set({ pageContent: event.target.value })}
        />
      </Field>
      <ChakraField.Root invalid={Boolean(errors.fields.metadata)} readOnly={!mayEdit}>
        <ChakraField.Label>{METADATA.label}</ChakraField.Label>
        <Stack w="full">
          <CodeInput
            id="chunk-metadata"
            param={METADATA}
            value={values.metadata}
            onChange={(metadata) => mayEdit && set({ metadata: String(metadata) })}
            onDone={() => {}}
            scope={NO_SCOPE}
          />
        </Stack>
        <ChakraField.HelperText>Searches can filter by these values.</ChakraField.HelperText>
        <ChakraField.ErrorText>{errors.fields.metadata}</ChakraField.ErrorText>
      </ChakraField.Root>
      <Flex gap="2" align="center" wrap="wrap">
        <Marks {...chunk} />
        <Text textStyle="sm" color="fg.muted" flex="1">
          {formatCount(chunk.pageContent.length)} characters, {formatCount(chunk.tokens)} tokens
        </Text>
        {mayEdit && <SwitchButton chunk={chunk} />}
        {may('documentStores:delete') && <DeleteButton chunk={chunk} onDeleted={onClose} />}
      </Flex>
    </FormDialog>
  )
}

/** Saves an edit, and offers to take it back. */
async function saveChange(chunk: DocumentChunk, fields: ChunkFields): Promise<void> {
  await updateChunk(chunk, changeOf(chunk, fields))
  const back = changeOf({ ...chunk, ...fields }, fieldsOf(chunk))
  notify.success(`Saved chunk ${chunk.chunkNo}`, {
    label: 'Undo',
    run: () => void attempt('undo the edit', () => updateChunk(chunk, back)),
  })
}

function SwitchButton({ chunk }: { chunk: DocumentChunk }) {
  const set = (isEnabled: boolean) => attempt('change the chunk', () => updateChunk(chunk, { isEnabled }))
  const change = async () => {
    if (!(await set(!chunk.isEnabled))) return
    notify.success(`Switched chunk ${chunk.chunkNo} ${chunk.isEnabled ? 'off' : 'on'}`, {
      label: 'Undo',
      run: () => void set(chunk.isEnabled),
    })
  }
  const Icon = chunk.isEnabled ? IconEyeOff : IconEye
  return (
    <Button
      size="sm"
      variant="outline"
      title={chunk.isEnabled ? 'Searches no longer find it' : 'Searches find it again'}
      onClick={change}
    >
      <Icon size={16} aria-hidden />
      {chunk.isEnabled ? 'Switch off' : 'Switch on'}
    </Button>
  )
}

function DeleteButton({ chunk, onDeleted }: { chunk: DocumentChunk; onDeleted(): void }) {
  const remove = () =>
    deleteAsset({
      name: `chunk ${chunk.chunkNo}`,
      description: 'Searches no longer find it. It comes back when its source changes and is read again.',
      remove: async () => {
        await deleteChunk(chunk)
        onDeleted()
      },
    })
  return (
    <Button size="sm" variant="outline" colorPalette="danger" onClick={remove}>
      <IconTrash size={16} aria-hidden />
      Delete
    </Button>
  )
}
