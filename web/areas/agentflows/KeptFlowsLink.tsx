import { Link as TextLink } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../api/use-can.ts'
import { Notice } from '../../ui/Notice.tsx'
import { keptFlowCount } from './queries.ts'

/** Leads to the flows that an import kept; nothing where there are none. */
export function KeptFlowsLink() {
  const may = useCan()('chatflows:view')
  const { data: count = 0 } = useQuery({ ...keptFlowCount, enabled: may })
  if (count === 0) return null
  return (
    <Notice mt="6">
      {count === 1
        ? '1 imported flow is kept but cannot run yet.'
        : `${count} imported flows are kept but cannot run yet.`}{' '}
      <TextLink asChild>
        <Link to="/agentflows/kept">Kept flows</Link>
      </TextLink>
    </Notice>
  )
}
