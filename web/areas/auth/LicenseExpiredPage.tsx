import { AuthText, ToSignIn } from './AuthText.tsx'

export function LicenseExpiredPage() {
  return (
    <>
      <AuthText title="The license has expired">
        Ask whoever runs this installation to renew it. Your data stays as it is.
      </AuthText>
      <ToSignIn />
    </>
  )
}
