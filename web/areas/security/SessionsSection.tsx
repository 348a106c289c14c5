import { Badge, Button, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { OwnSession } from '#contract/organization/security.ts'
import { notify } from '../../state/notify.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { RowTable } from '../../ui/lists/RowTable.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { attempt } from './attempt.ts'
import { endOtherSessions, endSession, sessionsQuery } from './queries.ts'
import { Section } from './Section.tsx'

const deviceOf = ({ device }: OwnSession) => device ?? 'Unknown device'

export function SessionsSection() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  return (
    <Section
      title="Sessions"
      purpose="Where you are signed in. End any session you don’t recognize, and change your password."
    >
      {error && <ErrorState title="Couldn’t load your sessions" text={error.message} onRetry={refetch} />}
      {!data && !error && <Skeleton h="32" />}
      {data && <Sessions sessions={data} />}
    </Section>
  )
}

function Sessions({ sessions }: { sessions: OwnSession[] }) {
  const end = (ended: OwnSession) =>
    attempt('Couldn’t end the session', async () => {
      await endSession(ended.id)
      notify.success('Session ended')
    })
  const endOthers = () =>
    attempt('Couldn’t end the other sessions', async () => {
      await endOtherSessions()
      notify.success('You are signed out everywhere else')
    })
  return (
    <>
      <RowTable
        label="Sessions"
        rows={sessions}
        columns={[
          { header: 'Device', cell: (row) => <Device of={row} /> },
          {
            header: 'Place',
            cell: ({ address, country }) => [address, country].filter(Boolean).join(', '),
            minor: true,
          },
          {
            header: 'Last seen',
            cell: ({ lastSeenDate, createdDate }) => <RelativeTime date={lastSeenDate ?? createdDate} />,
          },
          { header: 'End', cell: (row) => !row.current && <EndButton of={row} onEnd={() => end(row)} /> },
        ]}
      />
      {sessions.length > 1 && (
        <Button variant="outline" mt="4" onClick={endOthers}>
          Sign out everywhere else
        </Button>
      )}
    </>
  )
}

function Device({ of }: { of: OwnSession }) {
  return (
    <>
      <Text>{deviceOf(of)}</Text>
      {of.current && <Badge colorPalette="accent">This browser</Badge>}
    </>
  )
}

function EndButton({ of, onEnd }: { of: OwnSession; onEnd(): void }) {
  return (
    <Button size="sm" variant="outline" aria-label={`End: ${deviceOf(of)}`} onClick={onEnd}>
      End
    </Button>
  )
}
