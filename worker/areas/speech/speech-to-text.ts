/** Transcribes sound with the provider in the flow's settings. */
import { eq } from 'drizzle-orm'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { parseSpeechToText } from '#contract/predictions/uploads.ts'
import { chatflows } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { openWorkspaceComponents } from '../../components/workspace-components.ts'
import { transcribers } from '../../models/speech/index.ts'
import type { Recording } from '../../models/speech/types.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import type { Services } from '../../services.ts'

/** @param label names the file in errors */
type Transcribe = (recording: Recording, label: string) => Promise<string>

/** Returns undefined when the flow has no speech to text. The returned function throws `bad_request` or `run_failed`. */
export async function transcriber(
  services: Services,
  { flow }: Pick<RunContext, 'flow'>,
): Promise<Transcribe | undefined> {
  const rows = scope(services.db, flow)
  const [row] = await services.db
    .select({ speechToText: chatflows.speechToText })
    .from(chatflows)
    .where(rows.inWorkspace(chatflows, eq(chatflows.id, flow.id)))
  const chosen = parseSpeechToText(row?.speechToText ?? null)
  if (!chosen) return undefined
  const { provider: name, settings } = chosen
  const provider = transcribers.find((each) => each.name === name)
  const { credentialId } = settings
  const id = typeof credentialId === 'string' ? credentialId : ''
  const { egress, redact, readCredential } = await openWorkspaceComponents(services, flow, id ? [id] : [])
  const sleep = (ms: number) => services.clock.sleep(ms)

  return async (recording, label) => {
    if (!provider) {
      const known = transcribers.map((each) => each.name).join(', ')
      const message = `"${name}" is not supported; choose one of ${known}`
      throw new HeddleError('bad_request', `${label}: The flow's speech to text ${message}`)
    }
    try {
      const credential = (id && (await readCredential(id, provider.credentialType))) || {}
      return await provider.transcribe(recording, { settings, credential, egress, sleep })
    } catch (error) {
      throw new HeddleError('run_failed', `${label}: Speech to text failed: ${redact(errorMessage(error))}`)
    }
  }
}
