import { Button, chakra, Dialog, Portal, SimpleGrid, Text } from '@chakra-ui/react'
import type { Role } from '#contract/organization/members.ts'
import { groupsGivenBy, KIND_NAMES } from './role-draft.ts'

/** Shows what a built-in role gives. */
export function RolePermissionsDialog({ role, onClose }: { role: Role; onClose(): void }) {
  return (
    <Dialog.Root
      open
      size="md"
      placement="center"
      scrollBehavior="outside"
      onOpenChange={({ open }) => !open && onClose()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>{role.name}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>
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
            </Dialog.Body>
            <Dialog.Footer>
              <Button colorPalette="accent" onClick={onClose}>
                Done
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}
