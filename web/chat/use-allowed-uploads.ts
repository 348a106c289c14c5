import { useQuery } from '@tanstack/react-query'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type AllowedUploads, soundsTaken, takesImages } from '#contract/uploads.ts'
import { api } from '../api/client.ts'
import { keys } from '../api/query.ts'
import type { Takes } from './attachments.ts'

/** What the flow on the canvas takes: images and sound as its models are drawn, sound also where its stored settings put it into words. */
export function useAllowedUploads(flowId: string, flow: FlowDocument): Takes {
  const { data } = useQuery({
    queryKey: keys.one('chatflows-uploads', flowId),
    queryFn: () => api.get<AllowedUploads>(`/chatflows-uploads/${flowId}`),
  })
  return { images: takesImages(flow), sound: soundsTaken(flow).length > 0 || (data?.isSpeechToTextEnabled ?? false) }
}
