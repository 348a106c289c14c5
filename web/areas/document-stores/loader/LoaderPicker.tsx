import {
  Box,
  Button,
  CloseButton,
  Dialog,
  Heading,
  Input,
  Portal,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
} from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { componentsQuery } from '../api.ts'
import { LoaderIcon } from '../shared/LoaderIcon.tsx'
import { loaderGroups } from './loader-groups.ts'

interface Props {
  onPick(name: string): void
  onClose(): void
}

/** Chooses the kind of a new loader. Enter takes the first that the search finds. */
export default function LoaderPicker({ onPick, onClose }: Props) {
  const { data: loaders, error, refetch } = useQuery(componentsQuery('loaders'))
  const [search, setSearch] = useState('')
  const groups = loaders && loaderGroups(loaders, search)
  const first = groups?.[0]?.loaders[0]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && search.trim() !== '' && first) onPick(first.name)
  }
  return (
    <Dialog.Root open size="lg" scrollBehavior="inside" onOpenChange={({ open }) => !open && onClose()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner px="4">
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Add loader</Dialog.Title>
            </Dialog.Header>
            <Box px="6" pb="3">
              <Input
                autoFocus
                type="search"
                aria-label="Search loaders"
                placeholder="Search loaders"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
                onKeyDown={onKeyDown}
              />
            </Box>
            <Dialog.Body>
              {!loaders && error && (
                <ErrorState title="Couldn’t load the loaders" text={error.message} onRetry={() => void refetch()} />
              )}
              {!loaders && !error && <Skeleton h="64" role="status" aria-label="Loading loaders" />}
              {groups?.length === 0 && (
                <Text role="status" color="fg.muted" py="8" overflowWrap="anywhere">
                  No loader matches “{search}”.
                </Text>
              )}
              <Stack gap="5">
                {groups?.map(({ title, loaders: shown }) => (
                  <Box key={title}>
                    <Heading as="h3" size="sm" mb="2">
                      {title}
                    </Heading>
                    <SimpleGrid as="ul" listStyleType="none" columns={{ base: 1, sm: 2 }} gap="2">
                      {shown.map((loader) => (
                        <li key={loader.name}>
                          <Choice loader={loader} onPick={() => onPick(loader.name)} />
                        </li>
                      ))}
                    </SimpleGrid>
                  </Box>
                ))}
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

function Choice({ loader: { name, label, description }, onPick }: { loader: ComponentDefinition; onPick(): void }) {
  return (
    <Button
      variant="outline"
      w="full"
      h="full"
      minH="16"
      p="3"
      justifyContent="start"
      textAlign="start"
      whiteSpace="normal"
      borderRadius="l3"
      onClick={onPick}
    >
      <LoaderIcon name={name} />
      <Box minW="0">
        <Text fontWeight="medium">{label}</Text>
        <Text textStyle="xs" fontWeight="normal" color="fg.muted" lineClamp="3">
          {description}
        </Text>
      </Box>
    </Button>
  )
}
