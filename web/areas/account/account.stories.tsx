import { expect, role, story } from '../../workshop/story.tsx'
import { LimitedAccount } from './LimitedAccount.tsx'

story(
  'somebody whom an organization’s provider signed in reads why the account is closed, and signs in again',
  () => <LimitedAccount />,
  async ({ sent, path }) => {
    await expect.element(role('heading', 'Sign in with your password or passkey to change your account')).toBeVisible()
    await role('button', 'Sign out and sign in again').click()
    await expect.poll(path).toBe('/signin?next=%2Faccount')
    expect(sent.map(({ call }) => call)).toEqual(['POST /account/logout'])
  },
  { answers: { 'POST /account/logout': { message: '', redirectTo: '/login' } } },
)
