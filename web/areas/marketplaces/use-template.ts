/** Makes a flow of a template and opens it with its chat. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { CanvasFlowType } from '#contract/flow/kinds/facts.ts'
import { flowLink } from '../../api/flow-link.ts'
import { createFlow } from '../../api/flows.ts'
import { ask } from '../../state/intent.ts'
import { notify } from '../../state/notify.ts'

export function useTemplate(
  name: string,
  type: CanvasFlowType,
): { busy: boolean; use(flow: FlowDocument): Promise<void> } {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const use = async (flow: FlowDocument) => {
    setBusy(true)
    try {
      const { id } = await createFlow({ name, flowData: JSON.stringify(flow), type })
      ask('chat')
      await navigate(flowLink(type, id))
    } catch (error) {
      notify.error(`Couldn’t use the template: ${errorMessage(error)}`)
      setBusy(false)
    }
  }
  return { busy, use }
}
