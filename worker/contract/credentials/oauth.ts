/** What the page that a provider sends people back to tells the page that they came from. Without schemas: the browser reads it. */

/** Message from the callback page to its opener. */
export interface OAuthMessage {
  type: 'OAUTH2_SUCCESS' | 'OAUTH2_ERROR'
  success: boolean
  message: string
  /** What is connected now. */
  credentialId?: string
  mcpServerId?: string
}

/** The name of the BroadcastChannel over which it does so: a page's window is cut off from those of other origins. */
export const OAUTH_CHANNEL = 'heddle-oauth2'
