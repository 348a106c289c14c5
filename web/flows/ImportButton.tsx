import { Button } from '@chakra-ui/react'
import { IconUpload } from '@tabler/icons-react'
import { askImport } from '../state/import-export-dialog.ts'
import { FilePicker } from '../ui/forms/FilePicker.tsx'

/** Picks a .json file and opens the import preview. */
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
