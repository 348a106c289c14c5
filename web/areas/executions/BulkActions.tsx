import { Button, Flex, Text } from '@chakra-ui/react'
import { IconArrowsDiff, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ExecutionSummary } from '#contract/runs/executions.ts'
import { invalidate } from '../../api/query.ts'
import { useCan } from '../../api/use-can.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { deleteExecutions, EXECUTIONS } from './queries.ts'

interface BulkActionsProps {
  executions: ExecutionSummary[]
  onDeleted: () => void
}

/** Actions on the selected executions: compare two, or delete any number. */
export function BulkActions({ executions, onDeleted }: BulkActionsProps) {
  const canDelete = useCan()('executions:delete')
  const count = executions.length
  return (
    <Flex minH="9" align="center" gap="3" wrap="wrap">
      <Text color="fg.muted" textStyle="sm" aria-live="polite">
        {count === 0
          ? `Select two runs to compare${canDelete ? ', or any number to delete' : ''}.`
          : `${count} selected`}
      </Text>
      {count === 2 && (
        <Button asChild size="sm" variant="outline">
          {/* The older run is A, the baseline. */}
          <Link to="/executions/compare" search={{ a: executions[1]?.id, b: executions[0]?.id }}>
            <IconArrowsDiff size={16} aria-hidden /> Compare
          </Link>
        </Button>
      )}
      {count > 0 && canDelete && <DeleteSelected executions={executions} onDeleted={onDeleted} />}
    </Flex>
  )
}

function DeleteSelected({ executions, onDeleted }: BulkActionsProps) {
  const starred = executions.filter(({ isStarred }) => isStarred).length
  const remove = useMutation({
    mutationFn: () => deleteExecutions(executions.map(({ id }) => id)),
    onSuccess: async ({ keptCount }) => {
      onDeleted()
      if (keptCount > 0) notify.info(`${starredCount(keptCount)} kept. Remove the star to delete.`)
      await invalidate(EXECUTIONS)
    },
    onError: (error) => notify.error(`Couldn’t delete: ${error.message}`),
  })
  const ask = async () => {
    if (starred === executions.length) {
      notify.info(`${starredCount(starred)} kept. Remove the star to delete.`)
      return
    }
    const many = executions.length === 1 ? 'this execution' : `these ${executions.length} executions`
    const sure = await confirm({
      title: `Delete ${many}?`,
      description: `This permanently deletes steps, inputs and outputs. Chat messages${starred > 0 ? ' and starred executions' : ''} are kept.`,
      confirmButtonName: 'Delete',
      cancelButtonName: 'Cancel',
      danger: true,
    })
    if (sure) remove.mutate()
  }
  return (
    <Button size="sm" variant="outline" colorPalette="danger" loading={remove.isPending} onClick={ask}>
      <IconTrash size={16} aria-hidden /> Delete
    </Button>
  )
}

const starredCount = (count: number) => `${count} starred ${count === 1 ? 'execution' : 'executions'}`
