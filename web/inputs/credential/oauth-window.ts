/** The provider's window: it comes back to a page of ours, which tells what came of it. */
import type { OAuthAuthorization } from '#contract/credentials.ts'
import { OAUTH_CHANNEL, type OAuthMessage } from '#contract/oauth.ts'
import { api } from '../../api/client.ts'

/** Opens the consent page of a credential's provider. Call it in a click, so that the browser lets the window open. */
export async function openProvider(id: string): Promise<void> {
  const opened = window.open('', '_blank', 'popup,width=560,height=720')
  try {
    const { authorizationUrl } = await api.post<OAuthAuthorization>(`/oauth2-credential/authorize/${id}`)
    if (!opened) throw new Error('The browser blocked the window. Allow pop-ups for this page and connect again.')
    opened.location.href = authorizationUrl
  } catch (error) {
    opened?.close()
    throw error
  }
}

/** Calls `onMessage` for each answer until the returned function is called. */
export function listenForConnections(onMessage: (message: OAuthMessage) => void): () => void {
  const channel = new BroadcastChannel(OAUTH_CHANNEL)
  channel.onmessage = ({ data }) => onMessage(data as OAuthMessage)
  return () => channel.close()
}
