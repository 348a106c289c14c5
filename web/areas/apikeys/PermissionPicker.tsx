import { Box, Checkbox, chakra, Flex, SimpleGrid, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { PermissionGroup } from '#contract/access/group.ts'
import { Notice } from '../../ui/Notice.tsx'
import { grantableQuery } from './queries.ts'
import { groupState, namesOf, withChoice } from './selection.ts'

interface Props {
  chosen: string[]
  error?: string
  onChange(chosen: string[]): void
}

/** Areas with their permissions; a person sees only what they may hand on. */
export function PermissionPicker({ chosen, error, onChange }: Props) {
  const query = useQuery(grantableQuery)
  return (
    <chakra.fieldset aria-describedby={error ? 'permissions-error' : undefined}>
      <chakra.legend textStyle="sm" fontWeight="medium" mb="1.5">
        Permissions
      </chakra.legend>
      {query.isPending && <Skeleton h="48" />}
      {query.error && <Notice kind="danger">Permissions could not be loaded: {query.error.message}</Notice>}
      {query.data && (
        <Box borderWidth="1px" borderRadius="l2" maxH="72" overflowY="auto" px="4" py="1">
          {query.data.map((group) => (
            <Group key={group.area} group={group} chosen={chosen} onChange={onChange} />
          ))}
        </Box>
      )}
      {error && (
        <Text id="permissions-error" mt="1.5" textStyle="xs" color="fg.error">
          {error}
        </Text>
      )}
    </chakra.fieldset>
  )
}

function Group({ group, chosen, onChange }: { group: PermissionGroup } & Omit<Props, 'error'>) {
  return (
    <SimpleGrid columns={{ base: 1, sm: 3 }} gap="2" py="3" borderBottomWidth="1px" _last={{ borderBottomWidth: 0 }}>
      <Tick
        label={group.label}
        strong
        checked={groupState(group, chosen)}
        onChange={(on) => onChange(withChoice(chosen, namesOf(group), on))}
      />
      <Flex wrap="wrap" columnGap="4" rowGap="2" gridColumn={{ sm: 'span 2' }} ps={{ base: '6', sm: '0' }}>
        {group.permissions.map(({ name, label }) => (
          <Tick
            key={name}
            label={label}
            hint={group.label}
            checked={chosen.includes(name)}
            onChange={(on) => onChange(withChoice(chosen, [name], on))}
          />
        ))}
      </Flex>
    </SimpleGrid>
  )
}

interface TickProps {
  label: string
  /** For screen readers: of which group. */
  hint?: string
  strong?: boolean
  checked: boolean | 'indeterminate'
  onChange(on: boolean): void
}

function Tick({ label, hint, strong, checked, onChange }: TickProps) {
  return (
    <Checkbox.Root
      size="sm"
      minH="6"
      colorPalette="accent"
      checked={checked}
      onCheckedChange={(change) => onChange(change.checked === true)}
    >
      <Checkbox.HiddenInput />
      <Checkbox.Control />
      <Checkbox.Label fontWeight={strong ? 'medium' : 'normal'}>
        {hint && <Box srOnly>{hint}: </Box>}
        {label}
      </Checkbox.Label>
    </Checkbox.Root>
  )
}
