import { Box, Button, CloseButton, Dialog, Flex, Heading, Input, Portal, Stack, Text } from '@chakra-ui/react'
import { IconPlugConnected, IconSparkles, IconTools, IconWorld } from '@tabler/icons-react'
import { useState } from 'react'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { providerGroups, purposeOf } from './provider-groups.ts'

const ICONS: Record<string, typeof IconWorld> = {
  Models: IconSparkles,
  Accounts: IconPlugConnected,
  Tools: IconTools,
  'HTTP requests': IconWorld,
}

interface Props {
  definitions: CredentialDefinition[]
  onChoose(name: string): void
  onClose(): void
}

/** The first step to a new credential: what it is for. */
export function ProviderPicker({ definitions, onChoose, onClose }: Props) {
  const [search, setSearch] = useState('')
  const groups = providerGroups(definitions, search)
  return (
    <Dialog.Root
      open
      size="sm"
      placement="center"
      scrollBehavior="inside"
      onOpenChange={({ open }) => !open && onClose()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner p="4">
          <Dialog.Content maxH="min(40rem, calc(100dvh - 2rem))">
            <Dialog.Header display="block">
              <Dialog.Title mb="3">New credential</Dialog.Title>
              <Input
                type="search"
                autoFocus
                aria-label="Search services"
                placeholder="Search services"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
            </Dialog.Header>
            <Dialog.Body tabIndex={0} aria-label="Services">
              <Stack gap="4">
                {groups.map(({ title, definitions: found }) => (
                  <Box as="section" key={title} aria-label={title}>
                    <Heading as="h3" textStyle="xs" color="fg.muted" mb="1">
                      {title}
                    </Heading>
                    {found.map((definition) => (
                      <Provider
                        key={definition.name}
                        definition={definition}
                        group={title}
                        onChoose={() => onChoose(definition.name)}
                      />
                    ))}
                  </Box>
                ))}
                {groups.length === 0 && (
                  <Text color="fg.muted" role="status">
                    No service is called that. For any other API choose one of the HTTP types, or OAuth2 API.
                  </Text>
                )}
              </Stack>
            </Dialog.Body>
            <Dialog.CloseTrigger asChild>
              <CloseButton size="sm" />
            </Dialog.CloseTrigger>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

function Provider({
  definition,
  group,
  onChoose,
}: {
  definition: CredentialDefinition
  group: string
  onChoose(): void
}) {
  const Icon = ICONS[group] ?? IconWorld
  return (
    <Button variant="ghost" w="full" h="auto" minH="11" py="1.5" px="2" justifyContent="start" onClick={onChoose}>
      <Flex gap="3" align="center" minW="0">
        <Icon size={18} aria-hidden />
        <Box textAlign="start" minW="0" whiteSpace="normal">
          <Text>{definition.label}</Text>
          <Text textStyle="xs" fontWeight="normal" color="fg.muted">
            {purposeOf(definition)}
          </Text>
        </Box>
      </Flex>
    </Button>
  )
}
