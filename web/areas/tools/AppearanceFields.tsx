import { Button, Flex, IconButton, Input } from '@chakra-ui/react'
import { IconUpload, IconX } from '@tabler/icons-react'
import { errorMessage } from '#contract/errors.ts'
import { notify } from '../../state/notify.ts'
import { FilePicker } from '../../ui/forms/FilePicker.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { readPicture } from '../../ui/read-picture.ts'
import { pickedColor } from './appearance.ts'
import { ToolIcon } from './ToolIcon.tsx'
import type { ToolFields } from './tool-form.ts'

const MAX_ICON_BYTES = 100_000

interface Props {
  values: ToolFields
  onChange(change: Partial<ToolFields>): void
}

/** The color and the icon of a tool. */
export function AppearanceFields({ values, onChange }: Props) {
  const take = (file: File) =>
    void readPicture(file, MAX_ICON_BYTES).then(
      (iconSrc) => onChange({ iconSrc }),
      (error: unknown) => notify.error(errorMessage(error)),
    )
  return (
    <Flex gap="6" wrap="wrap" align="end">
      <Field label="Color">
        <Input
          type="color"
          w="16"
          p="1"
          value={pickedColor(values.color)}
          onChange={(event) => onChange({ color: event.target.value })}
        />
      </Field>
      <Flex gap="3" align="center">
        <ToolIcon tool={values} />
        <FilePicker label="Icon file" accept="image/svg+xml,image/png,image/jpeg,image/webp" onFile={take}>
          {(open) => (
            <Button variant="outline" size="sm" onClick={open}>
              <IconUpload aria-hidden />
              {values.iconSrc ? 'Replace icon' : 'Choose icon'}
            </Button>
          )}
        </FilePicker>
        {values.iconSrc && (
          <IconButton size="sm" variant="ghost" aria-label="Remove icon" onClick={() => onChange({ iconSrc: null })}>
            <IconX aria-hidden />
          </IconButton>
        )}
      </Flex>
    </Flex>
  )
}
