import { Button } from '@chakra-ui/react'
import { IconUpload } from '@tabler/icons-react'
import { askImport } from '../../state/import-export-dialog.ts'
import { FilePicker } from '../../ui/FilePicker.tsx'

/** Opens a .json file at the report of what would become of it. */
export function ImportButton() {
  return (
    <FilePicker label="Flow file" accept=".json" onFile={askImport}>
      {(open) => (
        <Button variant="outline" onClick={open}>
          <IconUpload aria-hidden />
          Import
        </Button>
      )}
    </FilePicker>
  )
}
