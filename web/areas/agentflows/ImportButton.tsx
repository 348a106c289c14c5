import { Button, chakra } from '@chakra-ui/react'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { askImport } from '../../ui/transfer.ts'

/** Opens a .json file at the report of what would become of it. */
export function ImportButton() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        accept=".json"
        hidden
        aria-label="Flow file"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) askImport(file)
        }}
      />
      <Button variant="outline" onClick={() => input.current?.click()}>
        <IconUpload aria-hidden />
        Import
      </Button>
    </>
  )
}
