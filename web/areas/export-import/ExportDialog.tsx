import { Checkbox, chakra, Flex, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { formatFileSize } from '#contract/data/format.ts'
import type { ExportKind } from '#contract/export-import/export-import.ts'
import { ApiError } from '../../api/client.ts'
import { notify } from '../../state/notify.ts'
import { downloadBlob } from '../../ui/download.ts'
import { tellMissing } from '../../ui/download-flow-file.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { EXPORT_OPTIONS } from './names.ts'
import { exportWorkspace } from './queries.ts'

/** Selects data types and downloads them as one file. */
export default function ExportDialog({ onClose }: { onClose(): void }) {
  const [chosen, setChosen] = useState<ExportKind[]>(EXPORT_OPTIONS.map(({ kind }) => kind))
  /** While a file comes: its bytes so far. */
  const [bytes, setBytes] = useState<number>()
  const [error, setError] = useState<string>()
  const [abort] = useState(() => new AbortController())
  const busy = bytes !== undefined

  const submit = async () => {
    if (busy) return
    if (chosen.length === 0) return setError('Select at least one data type.')
    setBytes(0)
    if (await exportToFile(chosen, { onProgress: setBytes, signal: abort.signal })) return onClose()
    setBytes(undefined)
  }
  const close = () => {
    abort.abort()
    onClose()
  }
  const toggle = (kind: ExportKind, on: boolean) => {
    setError(undefined)
    setChosen((now) => (on ? [...now, kind] : now.filter((each) => each !== kind)))
  }
  return (
    <FormDialog
      title="Export"
      submit={busy ? 'Exporting' : 'Export'}
      form={{ busy, dirty: false, errors: { summary: error }, submit }}
      onClose={close}
    >
      <chakra.fieldset disabled={busy}>
        <chakra.legend fontWeight="medium">Data to export</chakra.legend>
        <Text textStyle="sm" color="fg.muted">
          Creates one file without credentials, passwords and uploads, which you can import into another workspace.
        </Text>
        <Flex direction="column" gap="3" mt="4">
          {EXPORT_OPTIONS.map(({ kind, name, help }) => (
            <Checkbox.Root
              key={kind}
              checked={chosen.includes(kind)}
              onCheckedChange={({ checked }) => toggle(kind, checked === true)}
            >
              <Checkbox.HiddenInput />
              <Checkbox.Control />
              <Checkbox.Label>
                {name}
                {help && (
                  <Text as="span" color="fg.muted" fontWeight="normal">
                    {' '}
                    · {help}
                  </Text>
                )}
              </Checkbox.Label>
            </Checkbox.Root>
          ))}
        </Flex>
      </chakra.fieldset>
      <Text role="status" textStyle="sm" color="fg.muted" mt="4" minH="5">
        {busy && `${formatFileSize(bytes)} received`}
      </Text>
    </FormDialog>
  )
}

/** Returns true when the file was downloaded. */
async function exportToFile(kinds: ExportKind[], options: Parameters<typeof exportWorkspace>[1]): Promise<boolean> {
  try {
    const asked = Object.fromEntries(kinds.map((kind) => [kind, true]))
    const { name, file, notExported } = await exportWorkspace(asked, options)
    const isSaved = saveFile(name, file)
    if (isSaved && notExported.length > 0) tellMissing(notExported)
    return isSaved
  } catch (error) {
    if (options.signal.aborted) return false
    notify.error(`Failed to export: ${error instanceof ApiError ? error.message : 'Internal Server Error'}`)
    return false
  }
}

function saveFile(name: string, file: Blob): boolean {
  try {
    downloadBlob(name, file)
    return true
  } catch (error) {
    notify.error(`Failed to export all: ${error instanceof Error ? error.message : JSON.stringify(error)}`)
    return false
  }
}
