import { useQuery } from '@tanstack/react-query'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type AllowedUploads, acceptedAudio, acceptsImages } from '#contract/predictions/uploads.ts'
import { api } from '../api/client.ts'
import { keys } from '../api/query.ts'
import type { UploadSupport } from './attachments.ts'

/** Returns the file types that the flow on the canvas supports: images and audio by model, audio also with speech to text. */
export function useAllowedUploads(flowId: string | null, flow: FlowDocument): UploadSupport {
  const { data } = useQuery({
    queryKey: keys.one('chatflows-uploads', flowId ?? ''),
    queryFn: () => api.get<AllowedUploads>(`/chatflows-uploads/${flowId}`),
    enabled: flowId !== null,
  })
  return {
    images: acceptsImages(flow),
    sound: acceptedAudio(flow).length > 0 || (data?.isSpeechToTextEnabled ?? false),
  }
}
