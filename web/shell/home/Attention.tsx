import { Badge, Box, Flex, Text, Link as TextLink } from '@chakra-ui/react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Home } from '#contract/home/home.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Section } from './Section.tsx'

/** Runs that wait for a person, and triggers that fail. */
export function Attention({ waiting, failing }: Pick<Home, 'waiting' | 'failing'>) {
  if (waiting.length + failing.length === 0) return null
  return (
    <Section title="Needs your attention">
      <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="l3" bg="bg.panel">
        {waiting.map(({ id, flow, question, step, waitsFor, updatedDate }) => (
          <Item
            key={id}
            badge={
              <Badge colorPalette={waitsFor ? 'gray' : 'warning'}>
                {waitsFor ? `Waiting for ${waitsFor}` : 'Waiting for approval'}
              </Badge>
            }
            link={
              <Link to="/executions/$id" params={{ id }}>
                {step ?? 'A step'} in {flow.name} {waitsFor ? `waits for ${waitsFor}` : 'needs your approval'}
              </Link>
            }
            detail={question}
            date={updatedDate}
          />
        ))}
        {failing.map(({ id, name, flow, state, failuresInRow, reason, lastFailure }) => (
          <Item
            key={id}
            badge={<Badge colorPalette="danger">{state === 'failing' ? 'Paused' : 'Failing'}</Badge>}
            link={
              <Link to="/triggers/$id" params={{ id }}>
                {name} of {flow.name} failed {failuresInRow === 1 ? 'once' : `${failuresInRow} times in a row`}
              </Link>
            }
            detail={reason}
            date={lastFailure}
          />
        ))}
      </Box>
    </Section>
  )
}

interface ItemProps {
  badge: ReactNode
  link: ReactNode
  detail: string | null
  date: string
}

function Item({ badge, link, detail, date }: ItemProps) {
  return (
    <Flex as="li" gap="3" px="4" py="3" align="center" wrap="wrap" _notFirst={{ borderTopWidth: '1px' }}>
      {badge}
      <Box flex="1 1 60%" minW="0">
        <TextLink asChild fontWeight="medium" color="fg" minH="6" overflowWrap="anywhere">
          {link}
        </TextLink>
        {detail && (
          <Text textStyle="sm" color="fg.muted" lineClamp="1" overflowWrap="anywhere">
            {detail}
          </Text>
        )}
      </Box>
      <Text textStyle="sm" color="fg.muted">
        <RelativeTime date={date} />
      </Text>
    </Flex>
  )
}
