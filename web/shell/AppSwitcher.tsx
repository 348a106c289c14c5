import { Box, CloseButton, Dialog, Flex, Portal, SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import type { Feature } from '#contract/settings/features.ts'
import { api } from '../api/client.ts'
import { loadFeatures } from '../api/features.ts'
import { keys } from '../api/query.ts'
import { notify } from '../state/notify.ts'
import { AreaIcon } from './AreaIcon.tsx'
import { shell } from './shell-state.ts'

const close = () => {
  shell.switcher = false
}

/** The app switcher. On errors it redirects to the sign-in page. */
export default function AppSwitcher() {
  const { switcher } = useSnapshot(shell)
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: keys.area('features'),
    queryFn: () => loadFeatures(api),
    enabled: switcher,
    // `loadFeatures` has its own retries.
    retry: false,
    staleTime: 60_000,
  })

  useEffect(() => {
    if (!query.error || !switcher) return
    close()
    notify.error(`Couldn’t load features: ${query.error.message}`)
    navigate({ to: '/signin' })
  }, [query.error, switcher, navigate])

  return (
    <Dialog.Root open={switcher} size="lg" placement="center" onOpenChange={({ open }) => !open && close()}>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>Switch app</Dialog.Title>
            </Dialog.Header>
            <Dialog.CloseTrigger asChild>
              <CloseButton size="sm" />
            </Dialog.CloseTrigger>
            <Dialog.Body minH="40">
              {query.data ? (
                <Features features={query.data.features} />
              ) : (
                <Text role="status" color="fg.muted">
                  Loading features...
                </Text>
              )}
            </Dialog.Body>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  )
}

/** Cards of the features that this version has routes for. */
function Features({ features }: { features: Feature[] }) {
  const router = useRouter()
  const usable = features.filter((feature) => feature.path in router.routesByPath)
  if (usable.length === 0) return <Text color="fg.muted">No areas available. Ask an admin for access.</Text>
  return (
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="3">
      {usable.map((feature) => (
        <Card key={feature.path} feature={feature} />
      ))}
    </SimpleGrid>
  )
}

function Card({ feature }: { feature: Feature }) {
  return (
    <Flex asChild gap="3" p="4" borderWidth="1px" borderRadius="l3" _hover={{ bg: 'bg.subtle' }}>
      <Link to={feature.path} onClick={close}>
        <Box as="span" color={feature.color} flexShrink="0" aria-hidden>
          <AreaIcon name={feature.icon} size={24} />
        </Box>
        <Box as="span">
          <Text as="span" display="block" fontWeight="medium">
            {feature.title}
          </Text>
          <Text as="span" display="block" textStyle="sm" color="fg.muted">
            {feature.description}
          </Text>
        </Box>
      </Link>
    </Flex>
  )
}
