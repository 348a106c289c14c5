import { IconHierarchy3 } from '@tabler/icons-react'
import { createFileRoute } from '@tanstack/react-router'
import { AgentflowsPage } from '#web/areas/agentflows/AgentflowsPage.tsx'

export const Route = createFileRoute('/_main/agentflows')({
  staticData: {
    title: 'Agentflows',
    permission: 'agentflows:view',
    menu: {
      group: 'Build',
      icon: IconHierarchy3,
      label: 'Langflow',
      description: 'Agentflows: draw agents on a canvas and talk to them',
      bottom: true,
    },
  },
  component: AgentflowsPage,
})
