import { Box, Flex, SimpleGrid } from '@chakra-ui/react'
import type { PermissionGroup } from '#contract/access/group.ts'
import { groupState, namesOf, withChoice } from './permission-choice.ts'
import { Tick } from './Tick.tsx'

interface Props {
  groups: readonly PermissionGroup[]
  chosen: readonly string[]
  /** False for permissions that are shown, but can't be chosen or given up. By default all can. */
  canChoose?(name: string): boolean
  onChange(chosen: string[]): void
}

/** Permissions to tick, one by one or a whole group at a time. */
export function PermissionTicks({ groups, ...choice }: Props) {
  return groups.map((group) => <Group key={group.area} group={group} {...choice} />)
}

function Group({
  group,
  chosen,
  canChoose = () => true,
  onChange,
}: Omit<Props, 'groups'> & { group: PermissionGroup }) {
  const open = { ...group, permissions: group.permissions.filter(({ name }) => canChoose(name)) }
  return (
    <SimpleGrid columns={{ base: 1, sm: 3 }} gap="2" py="3" borderBottomWidth="1px" _last={{ borderBottomWidth: 0 }}>
      <Tick
        strong
        disabled={open.permissions.length === 0}
        checked={groupState(open.permissions.length === 0 ? group : open, chosen)}
        onChange={(on) => onChange(withChoice(chosen, namesOf(open), on))}
      >
        {group.label}
      </Tick>
      <Flex wrap="wrap" columnGap="4" rowGap="2" gridColumn={{ sm: 'span 2' }} ps={{ base: '6', sm: '0' }}>
        {group.permissions.map(({ name, label }) => (
          <Tick
            key={name}
            disabled={!canChoose(name)}
            checked={chosen.includes(name)}
            onChange={(on) => onChange(withChoice(chosen, [name], on))}
          >
            <Box srOnly>{group.label}: </Box>
            {label}
          </Tick>
        ))}
      </Flex>
    </SimpleGrid>
  )
}
