import { NativeSelect } from '@chakra-ui/react'
import { FreeInput } from './FreeInput.tsx'
import { LoadState } from './LoadState.tsx'
import { goneText } from './option-hints.ts'
import { StoreLink } from './StoreLink.tsx'
import { asText, type InputProps } from './types.ts'
import { useOptions } from './use-options.ts'

/** A choice from a list that is known (models, tools, state keys) or loaded from the server. */
export function AsyncOptionsInput(props: InputProps) {
  const { id, param, value, onChange } = props
  const loaded = useOptions(props)
  const { options, loading, complete } = loaded
  const chosen = asText(value)
  const state = <LoadState loaded={loaded} refreshes={param.refresh ?? false} />
  if (param.freeSolo) {
    return (
      <>
        <FreeInput {...props} options={options} />
        {state}
      </>
    )
  }
  const known = options.some((option) => option.name === chosen)
  return (
    <>
      <NativeSelect.Root size="sm">
        <NativeSelect.Field id={id} value={chosen} onChange={(event) => onChange(event.target.value)}>
          <option value="">{loading ? 'Loading…' : options.length === 0 ? 'No options' : 'Choose…'}</option>
          {!known && chosen !== '' && (
            <option value={chosen}>{complete ? `${chosen} (${goneText(param)})` : chosen}</option>
          )}
          {options.map((option) => (
            <option key={option.name} value={option.name} title={option.description}>
              {option.label}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      {state}
      {param.loadMethod === 'listStores' && <StoreLink chosen={chosen} />}
    </>
  )
}
