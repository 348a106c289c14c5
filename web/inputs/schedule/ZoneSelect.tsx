import { NativeSelect } from '@chakra-ui/react'

interface ZoneSelectProps {
  id?: string
  size?: 'sm' | 'md'
  value: string
  /** The user's time zone, listed first. */
  own: string
  onChange: (zone: string) => void
}

const zones = Map.groupBy(Intl.supportedValuesOf('timeZone'), (zone) => zone.split('/')[0] ?? '')

/** Selects a time zone. */
export function ZoneSelect({ id, size = 'md', value, own, onChange }: ZoneSelectProps) {
  const first = [...new Set([own, 'UTC', value])].filter(Boolean)
  return (
    <NativeSelect.Root size={size}>
      <NativeSelect.Field id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        <optgroup label="Suggested">
          {first.map((zone) => (
            <option key={zone} value={zone}>
              {zone}
              {zone === own && ' (yours)'}
            </option>
          ))}
        </optgroup>
        {[...zones].map(([region, names]) => (
          <optgroup key={region} label={region}>
            {names
              .filter((zone) => !first.includes(zone))
              .map((zone) => (
                <option key={zone} value={zone}>
                  {zone}
                </option>
              ))}
          </optgroup>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  )
}
