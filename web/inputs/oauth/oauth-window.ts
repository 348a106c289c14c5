/** The provider's window: it comes back to a page of ours, which tells what came of it. */
import { OAUTH_CHANNEL, type OAuthMessage } from '#contract/credentials/oauth.ts'

/**
 * Opens a provider's consent page. Call it in a click, so that the browser lets the window open.
 * @param askAddress asks the API for the page's address; undefined: nobody must agree
 */
export async function openProvider(askAddress: () => Promise<string | undefined>): Promise<{ opened: boolean }> {
  const opened = window.open('', '_blank', 'popup,width=560,height=720')
  try {
    const address = await askAddress()
    if (address === undefined) {
      opened?.close()
      return { opened: false }
    }
    if (!opened) throw new Error('The browser blocked the window. Allow pop-ups for this page and connect again.')
    opened.location.href = address
    return { opened: true }
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
