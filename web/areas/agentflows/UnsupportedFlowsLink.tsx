import { Link as TextLink } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../api/use-can.ts'
import { unsupportedFlowCount } from '../../flows/queries.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'

/** Links to the unsupported flows of imports; renders nothing when there are none. */
export function UnsupportedFlowsLink() {
  const canView = useCan()('chatflows:view')
  const { data: count = 0 } = useQuery({ ...unsupportedFlowCount, enabled: canView })
  if (count === 0) return null
  return (
    <Notice mt="6">
      {count === 1 ? '1 imported flow can’t run.' : `${count} imported flows can’t run.`}{' '}
      <TextLink asChild>
        <Link to="/agentflows/unsupported">View unsupported flows</Link>
      </TextLink>
    </Notice>
  )
}
