import { AuthText, ToSignIn } from './AuthText.tsx'

export function LicenseExpiredPage() {
  return (
    <>
      <AuthText title="The license has expired">Ask your administrator to renew it. Your data stays as it is.</AuthText>
      <ToSignIn />
    </>
  )
}
