import { IconBolt, IconEye, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Trigger } from '#contract/triggers/index.ts'
import { pauseTrigger, resumeTrigger, runTrigger } from '../../inputs/trigger/actions.ts'
import { deleteAsset } from '../../state/delete-asset.ts'
import { type RowAction, RowMenu } from '../../ui/RowMenu.tsx'
import { useCanChange } from './access.ts'
import { deleteTrigger } from './queries.ts'

interface TriggerMenuProps {
  trigger: Trigger
  /** On its own page it is open already, and its main actions are buttons. */
  isOpen?: boolean
  onEdit: (trigger: Trigger) => void
}

/** What can be done with a trigger. */
export function TriggerMenu({ trigger, isOpen = false, onEdit }: TriggerMenuProps) {
  const navigate = useNavigate()
  const mayChange = useCanChange()(trigger)
  const open = () => navigate({ to: '/triggers/$id', params: { id: trigger.id } })
  const leave = () => (isOpen ? navigate({ to: '/triggers' }) : undefined)
  const actions: RowAction[] = [
    ...(isOpen ? [] : [{ label: 'Open', icon: IconEye, onSelect: open }]),
    ...(mayChange && !isOpen ? quickActions(trigger) : []),
    ...(mayChange ? [{ label: 'Edit', icon: IconPencil, onSelect: () => onEdit(trigger) }] : []),
    ...(mayChange && mayDelete(trigger)
      ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void askAndDelete(trigger).then(leave) }]
      : []),
  ]
  return <RowMenu of={trigger.name} actions={actions} />
}

function quickActions(trigger: Trigger): RowAction[] {
  const { state } = trigger
  return [
    { label: 'Run now', icon: IconBolt, onSelect: () => void runTrigger(trigger) },
    ...(state === 'active'
      ? [{ label: 'Pause', icon: IconPlayerPause, onSelect: () => void pauseTrigger(trigger) }]
      : []),
    ...(state === 'paused' || state === 'failing'
      ? [{ label: 'Resume', icon: IconPlayerPlay, onSelect: () => void resumeTrigger(trigger) }]
      : []),
  ]
}

/** What a start node names goes when the node does. */
const mayDelete = ({ nodeId, state }: Trigger) => nodeId === null || state === 'ended'

const askAndDelete = ({ id, name }: Trigger) =>
  deleteAsset({
    name,
    description: 'It starts nothing any more, and the list of its deliveries is lost. The runs themselves stay.',
    remove: () => deleteTrigger(id),
  })
