import { Button, chakra } from '@chakra-ui/react'
import { IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { importFile } from './actions.ts'

/** Makes a flow from a .json file and opens it. */
export function ImportButton() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)

  const take = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    const id = await importFile(file)
    setBusy(false)
    if (id) navigate({ to: '/v2/agentcanvas/$id', params: { id } })
  }
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        accept=".json"
        hidden
        aria-label="Flow file"
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <Button variant="outline" loading={busy} loadingText="Importing" onClick={() => input.current?.click()}>
        <IconUpload aria-hidden />
        Import
      </Button>
    </>
  )
}
