import { IconButton } from '@chakra-ui/react'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ExecutionSummary } from '#contract/runs/executions.ts'
import { invalidate, keys } from '../../api/query.ts'
import { notify } from '../../state/notify.ts'
import { EXECUTIONS, type ExecutionList, updateExecution } from './queries.ts'

/** Stars an execution. Starred executions are kept when others are deleted. */
export function StarButton({ execution }: { execution: ExecutionSummary }) {
  const client = useQueryClient()
  const { id, isStarred, agentflow } = execution
  const star = useMutation({
    mutationFn: (on: boolean) => updateExecution(id, { isStarred: on }),
    onMutate: (on) => client.setQueriesData({ queryKey: keys.area(EXECUTIONS) }, withStar(id, on)),
    onError: (error) => notify.error(`Couldn’t change the star: ${error.message}`),
    onSettled: () => invalidate(EXECUTIONS),
  })
  return (
    <IconButton
      size="sm"
      variant="ghost"
      aria-label={`Star the run of ${agentflow.name}`}
      aria-pressed={isStarred}
      title={isStarred ? 'Starred: kept when you delete runs' : 'Star to keep this run'}
      color={isStarred ? 'warning.fg' : 'fg.muted'}
      onClick={() => star.mutate(!isStarred)}
    >
      {isStarred ? <IconStarFilled size={18} aria-hidden /> : <IconStar size={18} aria-hidden />}
    </IconButton>
  )
}

/** Returns cached lists and executions with the star applied. */
const withStar =
  (id: string, isStarred: boolean) =>
  (known: ExecutionList | ExecutionSummary | undefined): typeof known => {
    if (!known) return known
    if ('data' in known)
      return { ...known, data: known.data.map((each) => (each.id === id ? { ...each, isStarred } : each)) }
    return known.id === id ? { ...known, isStarred } : known
  }
