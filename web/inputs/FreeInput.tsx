import { Input } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import type { OfferedInputProps } from './offered-options.ts'
import { asText } from './types.ts'

// Loaded lazily, since few nodes need it.
const ComboboxInput = lazy(() => import('./ComboboxInput.tsx'))

/** A combobox that also accepts custom values (`freeSolo`). */
export function FreeInput(props: OfferedInputProps) {
  return (
    <Suspense fallback={<Input id={props.id} size="sm" disabled value={asText(props.value)} />}>
      <ComboboxInput {...props} />
    </Suspense>
  )
}
