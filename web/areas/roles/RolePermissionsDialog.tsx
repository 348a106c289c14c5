import { Button, chakra, SimpleGrid, Text } from '@chakra-ui/react'
import type { Role } from '#contract/organization/members.ts'
import { ContentDialog } from '../../ui/feedback/ContentDialog.tsx'
import { groupsGivenBy, KIND_NAMES } from './role-draft.ts'

/** Shows what a built-in role gives. */
export function RolePermissionsDialog({ role, onClose }: { role: Role; onClose(): void }) {
  return (
    <ContentDialog
      title={role.name}
      scroll="outside"
      onClose={onClose}
      footer={
        <Button colorPalette="accent" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Text mb="5" color="fg.muted">
        For: {KIND_NAMES[role.kind]}. Built-in roles can’t be changed. Duplicate it to make your own.
      </Text>
      <chakra.dl>
        {groupsGivenBy(role).map(({ area, label, permissions }) => (
          <SimpleGrid key={area} columns={{ base: 1, sm: 3 }} py="2" borderTopWidth="1px">
            <chakra.dt textStyle="sm" color="fg.muted">
              {label}
            </chakra.dt>
            <chakra.dd textStyle="sm" gridColumn={{ sm: 'span 2' }}>
              {permissions.map((each) => each.label).join(', ')}
            </chakra.dd>
          </SimpleGrid>
        ))}
      </chakra.dl>
    </ContentDialog>
  )
}
