import { AuthText, ToSignIn } from './AuthText.tsx'
import { LetterForm } from './LetterForm.tsx'
import { useLetters } from './use-letters.ts'

export function ForgotPasswordPage() {
  if (useLetters() === false) {
    return (
      <>
        <AuthText title="Forgot your password?">
          This server sends no letters. Ask whoever runs it for a new password.
        </AuthText>
        <ToSignIn />
      </>
    )
  }
  return (
    <>
      <AuthText title="Forgot your password?">
        Enter your address. We’ll send you a link to choose a new password.
      </AuthText>
      <LetterForm path="/account/forgot-password" button="Send the link" />
    </>
  )
}
