import { Badge, Box, chakra, Flex, Heading, SimpleGrid, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Settings } from '#contract/settings/settings.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { useSettings } from '../../api/use-settings.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { AreaIcon } from '../AreaIcon.tsx'
import { useMenu } from '../use-menu.ts'

const versionQuery = {
  queryKey: keys.one('settings', 'version'),
  queryFn: () => api.get<{ version: string }>('/version'),
}

/** The installation, and the pages of the platform admin. */
export function AdminPage() {
  return (
    <Stack gap="8">
      <PageTitle title="Administration" purpose="System settings for administrators." />
      <Installation />
      <Pages />
    </Stack>
  )
}

function Installation() {
  const settings = useSettings()
  const version = useQuery(versionQuery)
  const error = settings.error ?? version.error
  const retry = () => void Promise.all([settings.refetch(), version.refetch()])
  if (error) return <ErrorState title="Couldn’t load the settings" text={error.message} onRetry={retry} />
  if (!settings.data || !version.data) return <Skeleton h="32" role="status" aria-label="Loading the settings" />
  return (
    <Stack as="section" aria-labelledby="installation" gap="4">
      <Heading as="h2" id="installation" size="lg">
        Installation
      </Heading>
      <chakra.dl borderWidth="1px" borderRadius="l3" bg="bg.panel" px="4">
        <Fact name="Version">{version.data.version}</Fact>
        <Fact name="Deployment">
          <Badge>{DEPLOYMENTS[settings.data.PLATFORM_TYPE]}</Badge>
        </Fact>
        <Fact name="Email">{emailsText(settings.data)}</Fact>
      </chakra.dl>
    </Stack>
  )
}

const DEPLOYMENTS: Record<Settings['PLATFORM_TYPE'], string> = {
  'open source': 'Open source',
  cloud: 'Cloud',
  enterprise: 'Enterprise',
}

function emailsText({ canSendEmail, hasMailService }: Settings): string {
  if (!canSendEmail) return 'Not sent. Set MAIL_URL, MAIL_KEY, MAIL_FROM and APP_URL.'
  return hasMailService ? 'Sent' : 'Written to the outbox folder beside the data. Set MAIL_URL to send it.'
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <SimpleGrid columns={{ base: 1, sm: 3 }} py="3" gap="1" borderTopWidth="1px" _first={{ borderTopWidth: 0 }}>
      <chakra.dt textStyle="sm" color="fg.muted">
        {name}
      </chakra.dt>
      <chakra.dd textStyle="sm" gridColumn={{ sm: 'span 2' }} overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </SimpleGrid>
  )
}

/** Links to the other pages of the menu's group. */
function Pages() {
  const pages = useMenu().filter(({ group, path }) => group === 'User & Workspace Management' && path !== '/admin')
  return (
    <Stack as="section" aria-labelledby="people" gap="4">
      <Heading as="h2" id="people" size="lg">
        People and access
      </Heading>
      {pages.length === 0 && (
        <Text color="fg.muted">
          Users, roles, workspaces and single sign-on are part of cloud and enterprise deployments.
        </Text>
      )}
      <SimpleGrid columns={{ base: 1, sm: 2, xl: 3 }} gap="3">
        {pages.map(({ path, title, description, icon, color }) => (
          <Flex key={path} asChild gap="3" p="4" borderWidth="1px" borderRadius="l3" _hover={{ bg: 'bg.subtle' }}>
            <Link to={path}>
              <Box as="span" color={color} flexShrink="0" aria-hidden>
                <AreaIcon name={icon} size={24} />
              </Box>
              <Box as="span">
                <Text as="span" display="block" fontWeight="medium">
                  {title}
                </Text>
                <Text as="span" display="block" textStyle="sm" color="fg.muted">
                  {description}
                </Text>
              </Box>
            </Link>
          </Flex>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
