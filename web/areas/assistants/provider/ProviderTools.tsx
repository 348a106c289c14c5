import { Box, Button, Flex, IconButton, NativeSelect, Stack, Text } from '@chakra-ui/react'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { ListedTool } from '#contract/tools/schemas.ts'
import { api } from '../../../api/client.ts'
import { keys } from '../../../api/query.ts'
import { TOOLS } from '../../../api/tools.ts'
import type { UploadOptions } from '../../../api/upload.ts'
import { useCan } from '../../../api/use-can.ts'
import { notify } from '../../../state/notify.ts'
import { Notice } from '../../../ui/feedback/Notice.tsx'
import { ProgressBar } from '../../../ui/feedback/ProgressBar.tsx'
import { FilePicker } from '../../../ui/forms/FilePicker.tsx'
import { Field } from '../../../ui/forms/Form.tsx'
import { Tick } from '../../../ui/forms/Tick.tsx'
import {
  type Account,
  addToStore,
  createVectorStore,
  removeFromStore,
  uploadFile,
  vectorStoreQuery,
  vectorStoresQuery,
} from './provider-files.ts'
import { type FileOfAssistant, functionOf, OWN_TOOLS, type OwnTool, type ProviderFields } from './provider-form.ts'

interface Props {
  fields: ProviderFields
  set(change: Partial<ProviderFields>): void
}

/** The tools of an assistant, and the files that they read. */
export function ProviderTools({ fields, set }: Props) {
  const { own, files, credential } = fields
  const isReady = credential !== '' && (fields.type === 'OPENAI' || fields.basepath !== '')
  return (
    <Stack gap="3" role="group" aria-label="Tools">
      <Text textStyle="sm" fontWeight="medium">
        Tools
      </Text>
      {(Object.entries(OWN_TOOLS) as [OwnTool, string][]).map(([name, label]) => (
        <Box key={name}>
          <Tick
            checked={own.includes(name)}
            onChange={(on) => set({ own: on ? [...own, name] : own.filter((each) => each !== name) })}
          >
            {label}
          </Tick>
          {own.includes(name) && isReady && (
            <Box ps="6" mt="2">
              {name === 'code_interpreter' ? (
                <Files
                  label="Files of the code interpreter"
                  files={files}
                  onAdd={async (file, options) => {
                    const { id, filename } = await uploadFile(fields, file, options)
                    set({ files: [...files, { id, ...(filename && { filename }) }] })
                  }}
                  onRemove={async (id) => set({ files: files.filter((file) => file.id !== id) })}
                />
              ) : (
                <Search fields={fields} set={set} />
              )}
            </Box>
          )}
        </Box>
      ))}
      <Functions fields={fields} set={set} />
    </Stack>
  )
}

/** The vector store that file search reads, with its files. */
function Search({ fields, set }: Props) {
  const { storeId } = fields
  const stores = useQuery(vectorStoresQuery(fields))
  const [creating, setCreating] = useState(false)
  const create = async () => {
    setCreating(true)
    const name = fields.name.trim() || 'Files'
    try {
      set({ storeId: (await createVectorStore(fields, name)).id })
    } catch (error) {
      notify.error(`Couldn’t create the vector store: ${errorMessage(error)}`)
    }
    setCreating(false)
  }
  if (stores.isError) return <Notice kind="danger">{errorMessage(stores.error)}</Notice>
  const list = stores.data ?? []
  return (
    <Stack gap="3">
      <Field label="Vector store">
        <NativeSelect.Root disabled={stores.isPending}>
          <NativeSelect.Field value={storeId} onChange={(event) => set({ storeId: event.target.value })}>
            <option value="">None</option>
            {storeId !== '' && !list.some(({ id }) => id === storeId) && <option value={storeId}>{storeId}</option>}
            {list.map(({ id, name }) => (
              <option key={id} value={id}>
                {name || id}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
      {storeId === '' ? (
        <Flex>
          <Button size="sm" variant="outline" loading={creating} onClick={() => void create()}>
            Create vector store
          </Button>
        </Flex>
      ) : (
        <StoreFiles key={storeId} account={fields} id={storeId} />
      )}
    </Stack>
  )
}

function StoreFiles({ account, id }: { account: Account; id: string }) {
  const store = useQuery(vectorStoreQuery(account, id))
  if (store.isError) return <Notice kind="danger">{errorMessage(store.error)}</Notice>
  return (
    <Files
      label="Files of the vector store"
      files={store.data?.files ?? []}
      onAdd={(file, options) => addToStore(account, { id, file }, options)}
      onRemove={(fileId) => removeFromStore(account, id, fileId)}
    />
  )
}

interface FilesProps {
  label: string
  files: (FileOfAssistant & { filename?: string | undefined })[]
  onAdd(file: File, options: UploadOptions): Promise<void>
  onRemove(id: string): Promise<void>
}

function Files({ label, files, onAdd, onRemove }: FilesProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [sending, setSending] = useState<Sending>()
  const attempt = async (work: Promise<void>) => {
    setBusy(true)
    setError(undefined)
    await work.catch((failure: unknown) => setError(errorMessage(failure)))
    setBusy(false)
  }
  const add = async (file: File) => {
    const abort = new AbortController()
    const show = (part: number) => setSending({ file, part, abort })
    show(0)
    try {
      await onAdd(file, { onProgress: show, signal: abort.signal })
    } catch (failure) {
      if (!abort.signal.aborted) throw failure
    } finally {
      setSending(undefined)
    }
  }
  return (
    <Stack gap="2" role="group" aria-label={label}>
      {files.map(({ id, filename = id }) => (
        <Flex key={id} align="center" justify="space-between" gap="2">
          <Text textStyle="sm" overflowWrap="anywhere">
            {filename}
          </Text>
          <IconButton
            size="sm"
            variant="ghost"
            aria-label={`Remove ${filename}`}
            disabled={busy}
            onClick={() => void attempt(onRemove(id))}
          >
            <IconTrash aria-hidden />
          </IconButton>
        </Flex>
      ))}
      {sending && <SendingRow {...sending} />}
      <FilePicker label={`Add to ${label.toLowerCase()}`} onFile={(file) => void attempt(add(file))}>
        {(open) => (
          <Flex>
            <Button size="sm" variant="outline" disabled={busy} onClick={open}>
              <IconUpload aria-hidden />
              Add file
            </Button>
          </Flex>
        )}
      </FilePicker>
      {error && <Notice kind="danger">{error}</Notice>}
    </Stack>
  )
}

interface Sending {
  file: File
  /** The part that was sent, from 0 to 1. */
  part: number
  abort: AbortController
}

function SendingRow({ file, part, abort }: Sending) {
  const percent = Math.round(part * 100)
  return (
    <Flex align="center" justify="space-between" gap="2">
      <Box flex="1" minW="0">
        <Text textStyle="sm" overflowWrap="anywhere">
          {file.name}
        </Text>
        <ProgressBar thin label={`Sending ${file.name}`} percent={percent} />
      </Box>
      <Button size="sm" variant="outline" aria-label={`Cancel ${file.name}`} onClick={() => abort.abort()}>
        Cancel
      </Button>
    </Flex>
  )
}

const toolsQuery = { queryKey: keys.list(TOOLS), queryFn: () => api.get<ListedTool[]>('/tools') }

/** Tools of the workspace as functions. The program that runs the assistant answers its calls. */
function Functions({ fields: { functions }, set }: Props) {
  const can = useCan()
  const { data: tools = [] } = useQuery({ ...toolsQuery, enabled: can('tools:view') })
  const chosen = functions.map((each) => each.function.name)
  const others = functions.filter((each) => !tools.some(({ name }) => name === each.function.name))
  const without = (name: string) => functions.filter((each) => each.function.name !== name)
  if (tools.length + others.length === 0) return null
  return (
    <Stack gap="1" role="group" aria-label="Functions">
      <Text textStyle="sm" fontWeight="medium">
        Functions
      </Text>
      <Text textStyle="xs" color="fg.muted">
        Tools of this workspace. The program that runs the assistant calls them.
      </Text>
      {tools.map((tool) => (
        <Tick
          key={tool.id}
          checked={chosen.includes(tool.name)}
          onChange={(on) => set({ functions: on ? [...functions, functionOf(tool)] : without(tool.name) })}
        >
          {tool.name}
        </Tick>
      ))}
      {others.map((each) => (
        <Tick key={each.function.name} checked onChange={() => set({ functions: without(each.function.name) })}>
          {each.function.name}
        </Tick>
      ))}
    </Stack>
  )
}
