import { IconHierarchy3 } from '@tabler/icons-react'
import { createFileRoute } from '@tanstack/react-router'
import { AgentflowsPage } from '#web/areas/agentflows/AgentflowsPage.tsx'

export const Route = createFileRoute('/_main/agentflows')({
  staticData: {
    title: 'Agent flows',
    permission: 'agentflows:view',
    menu: {
      group: 'Build',
      icon: IconHierarchy3,
      description: 'Draw agents on a canvas and talk to them',
      bottom: true,
    },
  },
  component: AgentflowsPage,
})
