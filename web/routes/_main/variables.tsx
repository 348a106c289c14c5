import { IconVariable } from '@tabler/icons-react'
import { createFileRoute } from '@tanstack/react-router'
import { VariablesPage } from '#web/areas/variables/VariablesPage.tsx'

export const Route = createFileRoute('/_main/variables')({
  staticData: {
    title: 'Variables',
    permission: 'variables:view',
    menu: { group: 'Assets', icon: IconVariable, description: 'Values that every flow of this workspace can use' },
  },
  component: VariablesPage,
})
