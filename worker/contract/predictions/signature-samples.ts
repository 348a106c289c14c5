/** How an integrator's server signs a session, by language. Pure. */

export const SIGNATURE_SAMPLES = {
  'Node.js': `const { createHmac } = require('node:crypto')

const secret = process.env.CONVERSATION_SECRET
const sessionSignature = createHmac('sha256', secret).update(sessionId).digest('hex')`,
  Python: `import hashlib, hmac, os

secret = os.environ["CONVERSATION_SECRET"]
session_signature = hmac.new(secret.encode(), session_id.encode(), hashlib.sha256).hexdigest()`,
  PHP: `$secret = getenv('CONVERSATION_SECRET');
$sessionSignature = hash_hmac('sha256', $sessionId, $secret);`,
} as const

export type SignatureLanguage = keyof typeof SIGNATURE_SAMPLES
