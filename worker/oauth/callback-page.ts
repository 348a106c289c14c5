/** The page that a provider sends people back to: it tells the page that opened it, and closes. */

import { OAUTH_CHANNEL, type OAuthMessage } from '#contract/credentials/oauth.ts'
import { escapeHtml } from '#contract/data/text.ts'

/** Reads everything from the page's attributes, so that no value is ever part of a script. */
const SCRIPT = `
const { message, origin, channel } = document.body.dataset
const told = JSON.parse(message)
if (window.opener) window.opener.postMessage(told, origin)
const others = new BroadcastChannel(channel)
others.postMessage(told)
others.close()
if (told.success) window.close()
`

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px; box-sizing: border-box }
main { max-width: 32rem; overflow-wrap: anywhere }
h1 { font-size: 1.25rem }
`

/** @param origin the only origin that the opener is told on */
export function callbackPage(message: OAuthMessage, origin: string): Response {
  const nonce = crypto.randomUUID()
  const data = { message: JSON.stringify(message), origin, channel: OAUTH_CHANNEL }
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
  const title = message.success ? 'Connected' : 'Not connected'
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Heddle</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body ${attributes.join(' ')}>
<main><h1>${title}</h1><p>${escapeHtml(message.message)}</p><p>You can close this window.</p></main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`
  return new Response(page, {
    status: message.success ? 200 : 400,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'cache-control': 'no-store',
      // The address holds the code and the state.
      'referrer-policy': 'no-referrer',
    },
  })
}
